import { Bbr, type BbrWorld } from './bbr.ts';
import type { CongestionControl } from './congestion-control.ts';
import { Cubic } from './cubic.ts';
import { Reno } from './reno.ts';
import type { TcpState } from './tcp-state.ts';

/** The congestion controls that senders in virtual time have, by the kernel's names. */
export const VIRTUAL_CONTROLS = ['reno', 'cubic', 'bbr'] as const;
export type VirtualControl = (typeof VIRTUAL_CONTROLS)[number];

export const isVirtualControl = (name: string): name is VirtualControl =>
  VIRTUAL_CONTROLS.some((known) => known === name);

export function controlNamed(name: VirtualControl, tcp: TcpState, world: BbrWorld): CongestionControl {
  switch (name) {
    case 'reno':
      return new Reno(tcp);
    case 'cubic':
      return new Cubic(tcp);
    case 'bbr':
      return new Bbr(tcp, world);
  }
}

import type { CongestionControlName } from '../../../emulation/network/congestion/index.ts';
import { Bbr, type BbrWorld } from './bbr.ts';
import type { CongestionControl } from './congestion-control.ts';
import { Cubic } from './cubic.ts';
import { Reno } from './reno.ts';
import { Scalable } from './scalable.ts';
import type { TcpState } from './tcp-state.ts';
import { Vegas } from './vegas.ts';

type Begin = (tcp: TcpState, world: BbrWorld) => CongestionControl;

/** The congestion controls of senders in virtual time. To add one, add a file and a line here. */
const controls = {
  reno: (tcp) => new Reno(tcp),
  cubic: (tcp) => new Cubic(tcp),
  bbr: (tcp, world) => new Bbr(tcp, world),
  vegas: (tcp) => new Vegas(tcp),
  scalable: (tcp) => new Scalable(tcp),
} satisfies Partial<Record<CongestionControlName, Begin>>;

export type VirtualControl = keyof typeof controls;
export const VIRTUAL_CONTROLS = Object.keys(controls) as VirtualControl[];

export const isVirtualControl = (name: string): name is VirtualControl => Object.hasOwn(controls, name);

export const controlNamed = (name: VirtualControl, tcp: TcpState, world: BbrWorld): CongestionControl =>
  controls[name](tcp, world);

/* Runs the switch in virtual time: the caller sets the arrival times, and runs are reproducible. */
import type { Compiled } from '../compiler/compile.ts';
import { ControlPlane } from './control-plane.ts';
import { configure } from './config.ts';
import type { SwitchConfig } from './config.ts';
import { V1Switch } from './v1model.ts';

export interface Arrival {
  /** Time in nanoseconds. */
  readonly time: number;
  readonly port: number;
  readonly bytes: Uint8Array;
}

type Transmission = Arrival;

interface VirtualRun {
  readonly transmissions: readonly Transmission[];
  readonly device: V1Switch;
  readonly plane: ControlPlane;
}

/** Processes arrivals, which must be sorted by time, until no packets are left or until `end`. */
export function runVirtual(
  compiled: Compiled,
  config: SwitchConfig,
  arrivals: Iterable<Arrival>,
  options: { end?: number; random?: () => number } = {},
): VirtualRun {
  const transmissions: Transmission[] = [];
  const device = new V1Switch(compiled, {
    ports: config.ports,
    priorities: config.priorities,
    seed: config.seed,
    random: options.random ?? ((): number => 0),
    transmit: (port, bytes, time) => transmissions.push({ time, port, bytes: bytes.slice() }),
  });
  const plane = new ControlPlane(compiled.program, device.runtime);
  configure(device, plane, config);
  let last = 0;
  for (const { time, port, bytes } of arrivals) {
    if (time < last) throw new Error(`an arrival at ${time} ns comes after one at ${last} ns`);
    last = time;
    // Packets that are due by now leave before the arrival, so that the arriving packet does not find them in the
    // queue.
    device.advance(time);
    device.receive(port, bytes, time);
    device.advance(time);
  }
  device.advance(options.end ?? Infinity);
  return { transmissions, device, plane };
}

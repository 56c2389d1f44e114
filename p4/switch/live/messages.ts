/* What the main thread and the switch's thread say to each other. */
import type { SwitchConfig } from '../config.ts';
import type { WireCounts } from '../link/wires.ts';
import type { SwitchCounts } from '../v1model.ts';

export interface LiveStart {
  readonly config: SwitchConfig;
  readonly taps: readonly { port: number; fd: number }[];
}

export type Request =
  | { readonly id: number; readonly what: 'stop' }
  /** `restartLateness`: it counts anew from here on. */
  | { readonly id: number; readonly what: 'status'; readonly restartLateness?: boolean }
  | ObjectRequest;

/** What only the program's control plane can answer. */
export type ObjectRequest =
  | {
      readonly id: number;
      readonly what: 'register';
      readonly name: string;
      readonly from: number;
      readonly count: number;
    }
  | {
      readonly id: number;
      readonly what: 'write';
      readonly name: string;
      readonly index: number;
      readonly value: bigint;
    }
  | { readonly id: number; readonly what: 'counter'; readonly name: string; readonly index: number }
  | ({ readonly id: number; readonly what: 'add' } & NewEntry);

/** An entry for a table of exact keys, as the configuration writes it. */
export interface NewEntry {
  readonly table: string;
  readonly keys: Readonly<Record<string, number | string>>;
  readonly action: string;
  readonly args: Readonly<Record<string, number | string>>;
}

interface PortStatus extends WireCounts {
  readonly port: number;
  readonly received: number;
  readonly transmitted: number;
  /** Frames that the interface itself did not take. */
  readonly refused: number;
  readonly enqueued: number;
  readonly dequeued: number;
  readonly dropped: number;
  readonly waiting: number;
}

export interface LiveStatus {
  readonly counts: SwitchCounts;
  readonly ports: readonly PortStatus[];
  /** How much later than scheduled packets left the ports that have a rate or a wire, in microseconds. */
  readonly lateness: { readonly p50: number; readonly p99: number; readonly max: number };
  /** CPU seconds of the switch's thread, and seconds since its start. */
  readonly cpu_s: number;
  readonly seconds: number;
  /** It runs before all threads of ordinary priority; without root it cannot, and is late when the machine is busy. */
  readonly realTime: boolean;
  /** The program's timestamps are CLOCK_MONOTONIC in µs; `unixOffset_s` added to its seconds is unix time. */
  readonly clock: { readonly monotonic_s: number; readonly unixOffset_s: number };
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

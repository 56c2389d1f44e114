/* Messages between the main thread and the switch's thread. */
import type { SwitchConfig } from '../config.ts';
import type { WireCounts } from '../link/wires.ts';
import type { SwitchCounts } from '../v1model.ts';

export interface LiveStart {
  readonly config: SwitchConfig;
  readonly taps: readonly { port: number; fd: number }[];
}

export type Request =
  | { readonly id: number; readonly what: 'stop' }
  /** `restartLateness`: whether to restart the measurement of lateness after this status. */
  | { readonly id: number; readonly what: 'status'; readonly restartLateness?: boolean }
  | ObjectRequest;

/** Requests that the program's control plane answers, not the loop. */
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

/** An entry for a table with exact keys, in the notation of the configuration. */
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
  /** Frames that the interface refused to accept. */
  readonly refused: number;
  readonly enqueued: number;
  readonly dequeued: number;
  readonly dropped: number;
  readonly waiting: number;
}

export interface LiveStatus {
  readonly counts: SwitchCounts;
  readonly ports: readonly PortStatus[];
  /** Lateness of packets that left ports with a rate or a wire, relative to their schedule, in microseconds. */
  readonly lateness: { readonly p50: number; readonly p99: number; readonly max: number };
  /** CPU seconds of the switch's thread. */
  readonly cpu_s: number;
  /** Seconds since the thread started. */
  readonly seconds: number;
  /**
   * Whether the thread has real-time priority, which requires root. Without it, packets are late when the machine is
   * busy.
   */
  readonly realTime: boolean;
  /**
   * The program's timestamps are CLOCK_MONOTONIC in µs. Converted to seconds and added to `unixOffset_s`, they are Unix
   * times.
   */
  readonly clock: { readonly monotonic_s: number; readonly unixOffset_s: number };
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

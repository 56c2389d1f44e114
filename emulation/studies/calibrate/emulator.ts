import type { Link } from '../../network/links/link.ts';

/** The five parameters of the paper's emulator (§3.5.1). */
export interface Emulator {
  readonly mbps: number;
  /** One way. */
  readonly delay_ms: number;
  readonly queue_bytes: number;
  /** Of each packet, 0 to 1. */
  readonly loss: number;
  /** Constant intervals between packets, or memoryless ones. */
  readonly service: 'constant' | 'poisson';
}

/** What is searched for, and the range in which all values, or all magnitudes, are as likely. */
export interface Parameter {
  readonly name: 'mbps' | 'delay_ms' | 'queue_bytes' | 'loss';
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
}

/** What an emulator has of a parameter that is not searched for: no delay, no loss, and room for everything. */
export const WITHOUT: Omit<Emulator, 'mbps' | 'service'> = { delay_ms: 0.5, queue_bytes: 4_000_000, loss: 0 };

/** The smallest loss rate that is searched for; a run has some 10,000 packets. */
const LEAST_LOSS = 1e-6;

/** Of a path: the most that any scheme got, and the least delay that any packet had. */
export interface Bounds {
  readonly most_mbps: number;
  readonly least_delay_ms: number;
}

/**
 * The space of the search. The delay is bounded by the least that was measured: queues and transmission are a part of that,
 * so the propagation delay is below it.
 */
export const spaceOf = ({ most_mbps, least_delay_ms }: Bounds): readonly Parameter[] => [
  { name: 'mbps', low: 0.7 * most_mbps, high: 1.6 * most_mbps, log: false },
  { name: 'delay_ms', low: 0.4 * least_delay_ms, high: least_delay_ms, log: false },
  { name: 'queue_bytes', low: 6_000, high: 1_000_000, log: true },
  { name: 'loss', low: LEAST_LOSS, high: 0.05, log: true },
];

export const linkOf = ({ mbps, delay_ms, queue_bytes, loss, service }: Emulator): Link => ({
  rate: { kind: service, mbps },
  rtt_ms: 2 * delay_ms,
  queue_bytes,
  loss,
});

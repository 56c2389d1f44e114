import type { Link } from '../../network/links/link.ts';

/** The five parameters of Pantheon's emulators (§3.5.1). */
export interface Emulator {
  readonly mbps: number;
  /** The one-way delay. */
  readonly delay_ms: number;
  readonly queue_bytes: number;
  /** The loss probability of each packet, 0 to 1. */
  readonly loss: number;
  /** Whether the intervals between packets are constant, or memoryless (exponentially distributed). */
  readonly service: 'constant' | 'poisson';
  /**
   * A sixth parameter, not in the paper: in each direction, a packet is delayed by up to twice this time, uniformly
   * distributed, without reordering.
   */
  readonly jitter_ms?: number;
}

/**
 * A parameter of the search, with its range. All values in the range are equally likely or, with `log`, all magnitudes.
 */
export interface Parameter {
  readonly name: 'mbps' | 'delay_ms' | 'queue_bytes' | 'loss' | 'jitter_ms';
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
}

/** The values of parameters that are not part of the search: almost no delay, no loss, and a very large queue. */
export const NEUTRAL_PARAMETERS: Omit<Emulator, 'mbps' | 'service'> = {
  delay_ms: 0.5,
  queue_bytes: 4_000_000,
  loss: 0,
};

/** The size of a frame over the 1500 bytes that count as throughput. */
const FRAME_SHARE = 1514 / 1500;
const FRAME_BITS = 1514 * 8;
/** The lowest loss rate in the search. A run has about 10,000 packets, so lower rates have no effect. */
const LEAST_LOSS = 1e-6;

/**
 * The highest throughput of any scheme on a path, the lowest delay of any packet, and the highest 95th percentile of
 * delay.
 */
export interface Bounds {
  readonly most_mbps: number;
  readonly least_delay_ms: number;
  readonly most_delay_ms: number;
}

/**
 * The space of the search. A path's propagation delay is at most the lowest measured delay, which also includes
 * queueing and transmission.
 */
export const searchSpace = ({ most_mbps, least_delay_ms }: Bounds): readonly Parameter[] => [
  { name: 'mbps', low: 0.7 * most_mbps, high: 1.6 * most_mbps, log: false },
  { name: 'delay_ms', low: 0.4 * least_delay_ms, high: least_delay_ms, log: false },
  { name: 'queue_bytes', low: 6_000, high: 1_000_000, log: true },
  { name: 'loss', low: LEAST_LOSS, high: 0.05, log: true },
  { name: 'jitter_ms', low: 0, high: least_delay_ms, log: false },
];

export const toLink = ({ mbps, delay_ms, queue_bytes, loss, service, jitter_ms = 0 }: Emulator): Link => ({
  rate: { kind: service, mbps },
  rtt_ms: 2 * (delay_ms + jitter_ms),
  queue_bytes,
  loss,
  ...(jitter_ms > 0 && { jitter_ms }),
});

/** The loss rates of the points to try first. */
const FIRST_LOSSES = [LEAST_LOSS, 1e-3];

/**
 * The points to try first, derived from the measurements: the highest throughput, the lowest delay, and the queue that
 * explains the highest delay.
 */
export const firstPoints = (bounds: Bounds): readonly Omit<Emulator, 'service'>[] => {
  const { most_mbps, least_delay_ms, most_delay_ms } = bounds;
  const within = ({ low, high }: Parameter, value: number): number => Math.min(high, Math.max(low, value));
  const [rate, delay, queue] = searchSpace(bounds);
  if (!rate || !delay || !queue) return [];
  const mbps = within(rate, most_mbps * FRAME_SHARE);
  return FIRST_LOSSES.map((loss) => ({
    mbps,
    delay_ms: within(delay, least_delay_ms - FRAME_BITS / (mbps * 1000)),
    queue_bytes: within(queue, ((most_delay_ms - least_delay_ms) * mbps * 1000) / 8),
    loss,
    jitter_ms: 0,
  }));
};

/** The emulator as a point of a search space, limited to the space's ranges. */
export const pointIn = (space: readonly Parameter[], emulator: Emulator): Partial<Emulator> =>
  Object.fromEntries(
    space.map(({ name, low, high }) => [name, Math.min(high, Math.max(low, emulator[name] ?? 0))]),
  );

import { seededRandom, shuffled } from '../../../emulation/ground/statistics/random.ts';
import type { LinkSize } from '../link-size.ts';
import type { Traffic, TrafficFlow } from '../../traffic/traffic.ts';
import { UNITS, type Comparison } from './comparison.ts';

/** A comparison at one allocation: `treated` of the ten applications have the treatment. */
export interface Cell {
  readonly comparison: Comparison;
  readonly treated: number;
}

export type ArmName = 'treatment' | 'control';

/** One of the ten applications, with the indices of its own flows. */
export interface Unit {
  readonly unit: number;
  readonly arm: ArmName;
  readonly flows: readonly number[];
}

/** The end of the queue where packets are dropped: `QueueRule`. */
export type DropAt = 'front' | 'tail';

export interface AllocationLink extends LinkSize {
  readonly drop_at: DropAt;
  readonly burst_packets: number;
  /** The buffer in bandwidth-delay products; `BUFFER_BDP` if absent. */
  readonly buffer_bdp?: number | undefined;
}

/** The name of a cell and of its folder, such as `connections-3`. */
export const cellName = ({ comparison, treated }: Cell): string => `${comparison.name}-${treated}`;

/** The buffer of the switch in Unbiased Experiments in Congested Networks §3, in bandwidth-delay products. */
export const BUFFER_BDP = 1;
/** Connections start within this many base round trips, at times that depend on the seed. */
const STARTS_WITHIN_RTTS = 50;
const MOST_CONNECTIONS = 2;

/**
 * Returns the traffic of a cell, and the flows of each unit. The seed determines the start times and the order of
 * units. The first `treated` units in this order are treated, so with the same seed, a larger allocation contains every
 * smaller allocation.
 */
export function allocationTraffic(
  { comparison, treated }: Cell,
  link: AllocationLink,
  { from_s, seconds, seed }: { readonly from_s: number; readonly seconds: number; readonly seed: number },
): { readonly traffic: Traffic; readonly units: readonly Unit[] } {
  const { rate_bit_s, base_rtt_ms, bdp_packets, drop_at, burst_packets } = link;
  const { buffer_bdp = BUFFER_BDP } = link;
  const random = seededRandom(seed);
  const rank = shuffled([...Array(UNITS).keys()], random);
  const within_s = Math.min((STARTS_WITHIN_RTTS * base_rtt_ms) / 1000, from_s / 2);
  const flows: TrafficFlow[] = [];
  const units = Array.from({ length: UNITS }, (_, unit): Unit => {
    const arm = (rank[unit] ?? 0) < treated ? 'treatment' : 'control';
    const { congestion_control, connections, paced } = comparison[arm];
    // Always draw start times for the maximum number of connections, even if this unit opens fewer. The other units'
    // start times are then the same at every allocation.
    const starts_s = Array.from({ length: MOST_CONNECTIONS }, () => random() * within_s);
    const own = starts_s.slice(0, connections).map((start_s) => {
      flows.push({ congestion_control, start_s, rtt_class: 0, bytes: null, paced, ecn: false });
      return flows.length - 1;
    });
    return { unit, arm, flows: own };
  });
  const queue = { packets: Math.max(1, Math.round(buffer_bdp * bdp_packets)), at: drop_at };
  const path = { rate_bit_s, rtt_ms: [base_rtt_ms], queue, burst_packets };
  return { traffic: { ...path, flows, opened_first: true, seconds, from_s }, units };
}

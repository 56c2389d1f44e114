import { demand } from '../demand.ts';
import type { Milliseconds } from '../units.ts';
import { getBucket } from './bucket.ts';
import type { Arm, Experiment } from './experiment.ts';

/** The cluster and time of a session's start. The edge provides them, because a player's clock may be wrong. */
export interface SessionStart {
  readonly cluster: string;
  /** Milliseconds since 1970. */
  readonly now: Milliseconds;
}

export interface Assignment {
  readonly arm: Arm;
  /** The fraction of units that are treated in this cluster at this time. */
  readonly allocation: number;
  /** The index of the switchback's window, from 0; for an event, 0 before and 1 after; null with other designs. */
  readonly window: number | null;
  /** Whether the session begins within the washout period of its window, so that analyses exclude it later. */
  readonly washout: boolean;
  /** From 0 to 0.9999. A unit is treated if its bucket is below the allocation. */
  readonly bucket: number;
}

type WindowAllocation = Pick<Assignment, 'allocation' | 'window' | 'washout'>;

/**
 * Returns the arm of a session that begins now, or null if the experiment does not apply. A session keeps its arm.
 * Allocations are nested: a unit that is treated at one allocation is treated at every larger allocation. Throws an
 * Error for a unit or a cluster without a name and for an invalid time.
 */
export function assign(
  unit: string,
  experiment: Experiment,
  { cluster, now }: SessionStart,
): Assignment | null {
  demand(isName(unit), 'unit', unit, 'text that is not empty');
  demand(isName(cluster), 'cluster', cluster, 'text that is not empty');
  demand(Number.isFinite(now), 'now', now, 'milliseconds since 1970');
  const { clusters, from, until, seed } = experiment;
  if (now < from || now >= until || clusters?.includes(cluster) === false) return null;
  const place = resolveAllocation(experiment, cluster, now);
  if (place === null) return null;
  const bucket = getBucket(seed, unit);
  return { arm: bucket < place.allocation ? 'treatment' : 'control', ...place, bucket };
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

function resolveAllocation(
  { seed, design, from }: Experiment,
  cluster: string,
  now: Milliseconds,
): WindowAllocation | null {
  const always = (allocation: number): WindowAllocation => ({ allocation, window: null, washout: false });
  switch (design.kind) {
    case 'ab':
      return always(design.allocation);
    case 'paired':
      return Object.hasOwn(design.allocations, cluster) ? always(design.allocations[cluster] ?? 0) : null;
    case 'event': {
      const after = now >= design.at;
      return { allocation: after ? design.high : design.low, window: after ? 1 : 0, washout: false };
    }
    case 'switchback': {
      const window = Math.floor((now - from) / design.window);
      const washout = window > 0 && now - from - window * design.window < design.washout;
      return { allocation: isHigh(seed, cluster, window) ? design.high : design.low, window, washout };
    }
  }
}

/**
 * Whether a switchback's window has the high allocation. Windows are paired: 0 and 1, 2 and 3, etc. A hash of the
 * cluster decides which window of a pair has the high allocation. High and low windows are therefore equally frequent,
 * and no schedule has to be stored or distributed.
 */
function isHigh(seed: string, cluster: string, window: number): boolean {
  const pair = Math.floor(window / 2);
  const firstIsHigh = getBucket(`${seed}:switchback:${cluster}:`, String(pair)) < 0.5;
  return (window % 2 === 0) === firstIsHigh;
}

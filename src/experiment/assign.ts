import { demand } from '../demand.ts';
import type { Milliseconds } from '../units.ts';
import { bucketOf } from './bucket.ts';
import type { Arm, Experiment } from './experiment.ts';

/** Where and when a session begins. The edge knows both; a player's clock may be wrong. */
export interface Beginning {
  readonly cluster: string;
  /** The time since 1970. */
  readonly now: Milliseconds;
}

export interface Assignment {
  readonly arm: Arm;
  /** The fraction of units that are treated in this cluster at this time. */
  readonly allocation: number;
  /** The number of the switchback's window, from 0; before an event 0, after it 1; null with other designs. */
  readonly window: number | null;
  /** Whether the session begins within the wash-out of its window, so that an analysis leaves it out. */
  readonly washout: boolean;
  /** From 0 to 0.9999; a unit is treated where this is below the allocation. */
  readonly bucket: number;
}

type Place = Pick<Assignment, 'allocation' | 'window' | 'washout'>;

/**
 * The arm of a session that begins now, for as long as it lasts; null where the experiment does not take place. Allocations
 * are nested: a unit that is treated at one allocation is treated at every larger one. Throws an Error for a unit or a
 * cluster without a name and for a time that is none.
 */
export function assign(unit: string, experiment: Experiment, { cluster, now }: Beginning): Assignment | null {
  demand(isName(unit), 'unit', unit, 'text that is not empty');
  demand(isName(cluster), 'cluster', cluster, 'text that is not empty');
  demand(Number.isFinite(now), 'now', now, 'milliseconds since 1970');
  const { clusters, from, until, seed } = experiment;
  if (now < from || now >= until || clusters?.includes(cluster) === false) return null;
  const place = placeOf(experiment, cluster, now);
  if (place === null) return null;
  const bucket = bucketOf(seed, unit);
  return { arm: bucket < place.allocation ? 'treatment' : 'control', ...place, bucket };
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

function placeOf({ seed, design, from }: Experiment, cluster: string, now: Milliseconds): Place | null {
  const always = (allocation: number): Place => ({ allocation, window: null, washout: false });
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
 * The schedule of a switchback. Of the windows 0 and 1, 2 and 3, and so on, a hash of the cluster decides which has the high
 * allocation: so both are equally frequent, and nobody has to store or to agree on a schedule.
 */
function isHigh(seed: string, cluster: string, window: number): boolean {
  const pair = Math.floor(window / 2);
  const firstIsHigh = bucketOf(`${seed}:switchback:${cluster}:`, String(pair)) < 0.5;
  return (window % 2 === 0) === firstIsHigh;
}

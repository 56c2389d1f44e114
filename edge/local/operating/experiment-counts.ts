import type { NamedAssignment } from '../../experiments.ts';
import type { SessionRow } from '../../sessions/beacon.ts';
import type { BeaconOutcome } from '../../sessions/sessions-route.ts';

type Counts = Readonly<Record<string, number>>;

/** What experiments have done, as plain data. An arm is named as in a configuration and a verdict: `EXPERIMENT ARM`. */
export interface ExperimentTotals {
  /** Beacons by what became of them. */
  readonly beacons: Counts;
  /** Requests by the arm that they were told. */
  readonly requests: Counts;
  /** Sessions by their arm: those whose first beacon was stored. */
  readonly sessions: Counts;
}

/** Counts what experiments do. Names of arms are the operator's, so that clients cannot add to what is counted. */
export class ExperimentCounts {
  readonly #beacons: Record<string, number> = {};
  readonly #requests: Record<string, number> = {};
  readonly #sessions: Record<string, number> = {};

  get totals(): ExperimentTotals {
    return { beacons: this.#beacons, requests: this.#requests, sessions: this.#sessions };
  }

  assigned({ experiment, arm }: Pick<NamedAssignment, 'experiment' | 'arm'>): void {
    increment(this.#requests, `${experiment} ${arm}`);
  }

  beacon(outcome: BeaconOutcome, row?: SessionRow): void {
    increment(this.#beacons, outcome);
    if (outcome !== 'stored' || row?.sequence !== 0 || typeof row.experiment !== 'string') return;
    increment(this.#sessions, `${row.experiment} ${String(row.arm)}`);
  }
}

function increment(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

export const addTotals = (one: ExperimentTotals, other: ExperimentTotals): ExperimentTotals => ({
  beacons: addCounts(one.beacons, other.beacons),
  requests: addCounts(one.requests, other.requests),
  sessions: addCounts(one.sessions, other.sessions),
});

/** Adds counts by their names. */
export function addCounts(one: Counts, other: Counts): Counts {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

import { noStats, type EdgeStats } from '../response-event.ts';
import { addCounts, addTotals, ExperimentCounts, type ExperimentTotals } from './experiment-counts.ts';
import { Goodput, type Sent } from './goodput.ts';

/** An edge's counters so far, as plain data that processes can send each other. */
export interface Snapshot {
  readonly stats: Readonly<EdgeStats>;
  readonly goodput: Goodput['sent'];
  readonly experiments: ExperimentTotals;
  /** Only for an edge of several processes. */
  readonly workers?: { readonly running: number; readonly replaced: number };
}

export const NOTHING_DONE: Snapshot = {
  stats: noStats(),
  goodput: new Goodput().sent,
  experiments: new ExperimentCounts().totals,
};

/** Adds the counters of several processes. */
export const addSnapshots = (snapshots: readonly Snapshot[]): Snapshot => snapshots.reduce(add, NOTHING_DONE);

const add = (one: Snapshot, other: Snapshot): Snapshot => ({
  stats: {
    connections: one.stats.connections + other.stats.connections,
    refusedConnections: one.stats.refusedConnections + other.stats.refusedConnections,
    mostWaiting: Math.max(one.stats.mostWaiting, other.stats.mostWaiting),
    responses: one.stats.responses + other.stats.responses,
    bytes: one.stats.bytes + other.stats.bytes,
    incomplete: one.stats.incomplete + other.stats.incomplete,
    reasons: addCounts(one.stats.reasons, other.stats.reasons),
    refusedCongestionControls: one.stats.refusedCongestionControls + other.stats.refusedCongestionControls,
  },
  goodput: {
    paced: addSent(one.goodput.paced, other.goodput.paced),
    unpaced: addSent(one.goodput.unpaced, other.goodput.unpaced),
  },
  experiments: addTotals(one.experiments, other.experiments),
});

const addSent = (one: Sent, other: Sent): Sent => ({
  bytes: one.bytes + other.bytes,
  seconds: one.seconds + other.seconds,
});

/** One line that sums up the counters when the edge ends. */
export function summaryOf({ stats }: Snapshot): string {
  const reasons = Object.entries(stats.reasons).map(([reason, count]) => `${reason} ${count}`);
  const megabytes = (stats.bytes / 1e6).toFixed(1);
  return `${stats.responses} responses, ${megabytes} MB, ${stats.incomplete} incomplete; ${reasons.join(', ') || 'none'}`;
}

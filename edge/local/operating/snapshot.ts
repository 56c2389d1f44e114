import type { Families } from '../metrics/families.ts';
import { noStats, type EdgeStats } from '../response-event.ts';

/** An edge's counters so far, as plain data that processes can send to each other. */
export interface Snapshot {
  readonly stats: Readonly<EdgeStats>;
  /** The metrics of each process. */
  readonly processes: readonly Families[];
}

export const NOTHING_DONE: Snapshot = { stats: noStats(), processes: [] };

/** Returns the sums of several processes' counters. */
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
    changedPaces: one.stats.changedPaces + other.stats.changedPaces,
  },
  processes: [...one.processes, ...other.processes],
});

function addCounts(one: EdgeStats['reasons'], other: EdgeStats['reasons']): Record<string, number> {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** Returns a line that summarizes the counters when the edge ends. */
export function formatSummary({ stats }: Pick<Snapshot, 'stats'>): string {
  const reasons = Object.entries(stats.reasons).map(([reason, count]) => `${reason} ${count}`);
  const megabytes = (stats.bytes / 1e6).toFixed(1);
  return `${stats.responses} responses, ${megabytes} MB, ${stats.incomplete} incomplete; ${reasons.join(', ') || 'none'}`;
}

import type { LeftOut } from '../results/link-result.ts';
import type { Metrics, SessionRow } from '../session-row.ts';
import type { WatchedHour } from './hour-watch.ts';
import type { PlannedSession } from './real-time.ts';
import type { SessionEnd } from './serve-viewers.ts';

export interface ViewerRecord {
  readonly metrics: Metrics;
}
export type Ending = SessionEnd<ViewerRecord>;

/**
 * Returns the rows of the sessions that began in measured hours. A session that failed, or that was in progress in an
 * invalid hour, is left out, with the reason.
 */
export function makeRows(
  sessions: readonly PlannedSession[],
  endings: readonly Ending[],
  hours: readonly WatchedHour[],
  hour_s: number,
): { readonly rows: SessionRow[]; readonly leftOut: LeftOut[] } {
  const rows: SessionRow[] = [];
  const leftOut: LeftOut[] = [];
  for (const [index, { row, at_s, seconds, counts }] of sessions.entries()) {
    const ending = endings[index];
    if (!counts || !ending) continue;
    const own = hours.slice(Math.floor(at_s / hour_s), Math.ceil((at_s + seconds) / hour_s));
    const invalid = own.find((hour) => hour.invalid !== undefined)?.invalid;
    if ('failure' in ending) leftOut.push({ session_id: row.session_id, reason: ending.failure });
    else if (invalid !== undefined) leftOut.push({ session_id: row.session_id, reason: invalid });
    else rows.push({ ...row, metrics: ending.metrics });
  }
  return { rows, leftOut };
}

import type { SessionRow } from '../session-row.ts';
import type { WatchedHour } from '../tcp/hour-watch.ts';

/** `link.json`: what became of a link's sessions. */
export interface LinkResult {
  readonly rows: readonly SessionRow[];
  /** Sessions that have no row, and why; absent in virtual time, where there are none. */
  readonly leftOut?: readonly LeftOut[];
  /** How busy the machine was in each hour; absent in virtual time. */
  readonly hours?: readonly WatchedHour[];
}

/** A session that began in an hour that counts, and has no row. */
export interface LeftOut {
  readonly session_id: string;
  readonly reason: string;
}

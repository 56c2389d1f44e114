import type { SessionRow } from '../session-row.ts';
import type { WatchedHour } from '../tcp/hour-watch.ts';

/** The format of `link.json`: the results of a link's sessions. */
export interface LinkResult {
  readonly rows: readonly SessionRow[];
  /** The sessions that have no row, with the reasons; absent in virtual time, where every session has a row. */
  readonly leftOut?: readonly LeftOut[];
  /** How busy the machine was in each hour; absent in virtual time. */
  readonly hours?: readonly WatchedHour[];
}

/** A session without a row, although it began in a measured hour. */
export interface LeftOut {
  readonly session_id: string;
  readonly reason: string;
}

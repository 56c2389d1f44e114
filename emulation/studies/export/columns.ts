/** The Parquet types that the tables use, with their TypeScript types. */
export interface ColumnValues {
  readonly INT64: bigint;
  readonly INT32: number;
  readonly DOUBLE: number;
  readonly BOOLEAN: boolean;
  readonly STRING: string;
}

/** A table's columns in their order. */
export type Columns = Readonly<Record<string, keyof ColumnValues>>;

/** A row of a table; null for unknown values. */
export type Row<Has extends Columns> = { readonly [Name in keyof Has]: ColumnValues[Has[Name]] | null };

/** The columns that identify a row's stream, as in Puffer's open data. */
const STREAM = {
  /** The time, ns since 1970. */
  time: 'INT64',
  session_id: 'STRING',
  /** The index of the stream within its session. */
  index: 'INT32',
  /** The arm's number; the file `expt_settings` has its settings. */
  expt_id: 'INT32',
  channel: 'STRING',
} as const;

/** The session's arm and condition in the lab. */
const SESSION = { arm: 'STRING', condition: 'STRING' } as const;

/**
 * A row for each video segment that was requested from the server. The columns are those of Puffer's `video_sent`
 * (Fugu, Appendix B), followed by additional ones.
 */
export const VIDEO_SENT = {
  ...STREAM,
  /** The presentation time of the segment, in 1/90,000 s. */
  video_ts: 'INT64',
  format: 'STRING',
  /** The size, bytes. */
  size: 'INT32',
  ssim_index: 'DOUBLE',
  /** The server's TCP state when the response began: packets, µs, bytes/s. */
  cwnd: 'INT32',
  in_flight: 'INT32',
  min_rtt: 'INT32',
  rtt: 'INT32',
  delivery_rate: 'INT64',
  /** The buffer level at the request, s. */
  buffer: 'DOUBLE',
  /** The total duration of stalls until the request, s. */
  cum_rebuf: 'DOUBLE',
  ...SESSION,
  /** The number of the request within its session. */
  sequence: 'INT32',
  /** The length of the segment, s. */
  duration: 'DOUBLE',
  outcome: 'STRING',
  /** When the player abandoned the download, ns since 1970; null otherwise. */
  given_up: 'INT64',
  /** The server's pace of the response, bytes/s; null if the response was unpaced. */
  pace: 'DOUBLE',
  pace_limited: 'BOOLEAN',
  app_limited: 'BOOLEAN',
  /** The TCP statistics that the player knew when it chose the rung, from the previous response. */
  last_cwnd: 'INT32',
  last_in_flight: 'INT32',
  last_min_rtt: 'INT32',
  last_rtt: 'INT32',
  last_delivery_rate: 'INT64',
  last_app_limited: 'BOOLEAN',
} as const satisfies Columns;

/** A row for each segment that has arrived completely, at the time of its arrival. */
export const VIDEO_ACKED = {
  ...STREAM,
  video_ts: 'INT64',
  buffer: 'DOUBLE',
  cum_rebuf: 'DOUBLE',
  ...SESSION,
  sequence: 'INT32',
} as const satisfies Columns;

/**
 * A row for each paced request of a simulated session whose network was forked: its duration without its pace. A
 * separate table, which is used to evaluate predictions and never to train them, because no real session has this
 * information.
 */
export const UNPACED = {
  session_id: 'STRING',
  index: 'INT32',
  /** The number of the request, as in `video_sent`. */
  sequence: 'INT32',
  /** The duration of the request without its pace, ms. */
  unpaced_ms: 'DOUBLE',
} as const satisfies Columns;

/**
 * A row every 250 ms (`timer`), and for each event: when playback was requested (`init`), began, stalled and resumed.
 */
export const CLIENT_BUFFER = {
  ...STREAM,
  event: 'STRING',
  buffer: 'DOUBLE',
  cum_rebuf: 'DOUBLE',
  ...SESSION,
} as const satisfies Columns;

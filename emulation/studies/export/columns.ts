/** Parquet's types, as far as the tables have them, and what stands for them here. */
export interface ColumnValues {
  readonly INT64: bigint;
  readonly INT32: number;
  readonly DOUBLE: number;
  readonly BOOLEAN: boolean;
  readonly STRING: string;
}

/** A table's columns in their order. */
export type Columns = Readonly<Record<string, keyof ColumnValues>>;

/** A row of it; null is what is not known. */
export type Row<Has extends Columns> = { readonly [Name in keyof Has]: ColumnValues[Has[Name]] | null };

/** Which stream a row is of, as in Puffer's open data. */
const STREAM = {
  /** ns since 1970. */
  time: 'INT64',
  session_id: 'STRING',
  /** Of the stream within its session. */
  index: 'INT32',
  /** The group of the experiment, whose settings are in the file `expt_settings`. */
  expt_id: 'INT32',
  channel: 'STRING',
} as const;

/** The session in the lab's words. */
const SESSION = { arm: 'STRING', condition: 'STRING' } as const;

/**
 * A row for each video segment that was requested from the server: the columns of Puffer's `video_sent` (Fugu, Appendix
 * B), and behind them ours.
 */
export const VIDEO_SENT = {
  ...STREAM,
  /** Of the presentation, in 1/90,000 s. */
  video_ts: 'INT64',
  format: 'STRING',
  /** Bytes. */
  size: 'INT32',
  ssim_index: 'DOUBLE',
  /** The server's TCP as the response began: packets, µs, bytes/s. */
  cwnd: 'INT32',
  in_flight: 'INT32',
  min_rtt: 'INT32',
  rtt: 'INT32',
  delivery_rate: 'INT64',
  /** The player's as it asked, s. */
  buffer: 'DOUBLE',
  cum_rebuf: 'DOUBLE',
  ...SESSION,
  /** Of the request within its session, and its segment's length in s. */
  sequence: 'INT32',
  duration: 'DOUBLE',
  outcome: 'STRING',
  /** When the player gave it up, ns since 1970; null where it did not. */
  given_up: 'INT64',
  /** What the server paced the response with, bytes/s; null for no pace. */
  pace: 'DOUBLE',
  pace_limited: 'BOOLEAN',
  app_limited: 'BOOLEAN',
  /** The same statistics as the player knew them when it chose: of the response before. */
  last_cwnd: 'INT32',
  last_in_flight: 'INT32',
  last_min_rtt: 'INT32',
  last_rtt: 'INT32',
  last_delivery_rate: 'INT64',
  last_app_limited: 'BOOLEAN',
} as const satisfies Columns;

/** A row for each segment that has arrived whole, when it had. */
export const VIDEO_ACKED = {
  ...STREAM,
  video_ts: 'INT64',
  buffer: 'DOUBLE',
  cum_rebuf: 'DOUBLE',
  ...SESSION,
  sequence: 'INT32',
} as const satisfies Columns;

/**
 * A row for each paced request of a simulated session whose network was forked: what it would have taken without its pace.
 * It is in a table of its own, which those who judge predictions read and nobody learns from: no real session has it.
 */
export const UNPACED = {
  session_id: 'STRING',
  index: 'INT32',
  /** Of `video_sent`. */
  sequence: 'INT32',
  /** ms. */
  unpaced_ms: 'DOUBLE',
} as const satisfies Columns;

/** A row every 250 ms (`timer`), and when playback was requested (`init`), began, stalled and went on. */
export const CLIENT_BUFFER = {
  ...STREAM,
  event: 'STRING',
  buffer: 'DOUBLE',
  cum_rebuf: 'DOUBLE',
  ...SESSION,
} as const satisfies Columns;

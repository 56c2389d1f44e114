import type { CompletedDecision } from '../../../src/decision.ts';
import type { Point } from '../../player/records/series.ts';
import type { PlaybackEvent } from '../../player/records/play.ts';
import type { Unpaced } from '../../player/model/simulated-session.ts';
import type { Row } from './columns.ts';

/** A session of the lab or the simulator, with all data that the tables need. */
export interface ExportedSession {
  readonly session_id: string;
  /** The number of the session's arm. */
  readonly expt_id: number;
  readonly channel: string;
  readonly arm: string;
  readonly condition: string | null;
  /** When playback was requested, ms since 1970. */
  readonly began_ms: number;
  /** The session's length. */
  readonly seconds: number;
  readonly decisions: readonly CompletedDecision[];
  /** The buffer level, every 250 ms. */
  readonly buffer: readonly Point[];
  readonly playback: readonly PlaybackEvent[];
  /**
   * How long paced requests would have taken without their pace. Only for a simulated session whose network was forked.
   */
  readonly unpaced?: readonly Unpaced[] | undefined;
}

type StreamRow = Row<{
  time: 'INT64';
  session_id: 'STRING';
  index: 'INT32';
  expt_id: 'INT32';
  channel: 'STRING';
  arm: 'STRING';
  condition: 'STRING';
}>;

/** The columns that every table's row has. A session of the lab is one stream. */
export const streamAt = (session: ExportedSession, t_s: number): StreamRow => ({
  time: nanoseconds(session.began_ms + t_s * 1000),
  session_id: session.session_id,
  index: 0,
  expt_id: session.expt_id,
  channel: session.channel,
  arm: session.arm,
  condition: session.condition,
});

/** Converts ms since 1970 to ns, exact to the µs. */
const nanoseconds = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * 1000n;

import type { Rung } from '../../../../src/film/ladder.ts';
import type { MediaState } from '../../../../src/session/state.ts';
import type { StockSegment } from '../stock/bola.ts';

/** A video download in flight. */
export interface InFlight {
  readonly loaded_bytes: number;
  readonly total_bytes: number;
  /** Time since the first byte. */
  readonly elapsed_ms: number;
  /** The part of `loaded_bytes` that arrived with the first byte. */
  readonly first_bytes: number;
  readonly pace_kbps: number | null;
  /** The plug-in's throughput estimate when the segment was requested; null before the first estimate. */
  readonly estimate_kbps: number | null;
  readonly duration_s: number;
}

/** Chooses the rungs of video segments: dash.js's rules, or the plug-in. */
export interface Chooser {
  /** The rung at the start of the session. */
  readonly first: Rung;
  /** Chooses the rung for the next segment, and how long to wait before requesting the segment. */
  choose(
    state: MediaState,
    current: Rung,
    now_ms: number,
    duration_s: number,
  ): { readonly rung: Rung; readonly delay_ms: number };
  /** Whether the last choice, if it is a higher rung, replaces buffered segments. */
  replacesBuffer(): boolean;
  /** Milliseconds until `abandon` could first abandon the download, whatever arrives until then. */
  earliestAbandonment_ms(state: MediaState, download: InFlight): number;
  /** Returns the rung to restart the segment with; undefined to continue the download. */
  abandon(state: MediaState, current: Rung, now_ms: number, download: InFlight): Rung | undefined;
  /** Called when a segment has arrived and is not in the buffer yet. */
  recordDownload(
    segment: Omit<StockSegment, 'rung'>,
    rung: Rung,
    bytes: number,
    receiving_ms: number,
    buffer_s: number,
  ): void;
  /** Called when a download was aborted, by `abandon` or by a seek. */
  recordAbort(requested_ms: number, now_ms: number, download: InFlight): void;
  /** Called when the buffer has grown to this level. */
  recordBuffer(buffer_s: number): void;
  recordSeek(): void;
}

import type { Rung } from '../../../../src/film/ladder.ts';
import type { MediaState } from '../../../../src/session/state.ts';
import type { StockSegment } from '../stock/bola.ts';

/** A video download in flight. */
export interface InFlight {
  readonly loaded_bytes: number;
  readonly total_bytes: number;
  /** Since the first byte. */
  readonly elapsed_ms: number;
  /** Of `loaded_bytes`, what came with the first byte. */
  readonly first_bytes: number;
  readonly pace_kbps: number | null;
  /** What the plug-in expected of the network as it was requested; null where it knew nothing. */
  readonly estimate_kbps: number | null;
  readonly duration_s: number;
}

/** The chooser of video rungs: dash.js's rules, or the plug-in. */
export interface Chooser {
  /** The rung at the start of the session. */
  readonly first: Rung;
  /** The rung for the next segment, and how long to wait before requesting it. */
  choose(
    state: MediaState,
    current: Rung,
    now_ms: number,
    duration_s: number,
  ): { readonly rung: Rung; readonly delay_ms: number };
  /** Whether a switch up to what was chosen last replaces what is buffered. */
  replaces(): boolean;
  /** For so many ms `abandon` will not give the download up, whatever arrives meanwhile. */
  goesOnFor(state: MediaState, download: InFlight): number;
  /** The rung to begin the segment anew with; undefined to go on. */
  abandon(state: MediaState, current: Rung, now_ms: number, download: InFlight): Rung | undefined;
  /** A segment has arrived and is not in the buffer yet. */
  downloaded(
    segment: Omit<StockSegment, 'rung'>,
    rung: Rung,
    bytes: number,
    receiving_ms: number,
    buffer_s: number,
  ): void;
  /** A download was cut off, by `abandon` or by a seek. */
  gaveUp(requested_ms: number, now_ms: number, download: InFlight): void;
  /** The buffer has grown to this. */
  filled(buffer_s: number): void;
  sought(): void;
}

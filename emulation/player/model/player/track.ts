import type { Decision } from '../../../../src/decision.ts';
import type { Ladder, Rung } from '../../../../src/film/ladder.ts';
import type { MediaType } from '../../../../src/film/media-type.ts';
import type { Fetch } from './wire.ts';

/** The download of a segment in progress. */
export interface Download {
  readonly fetch: Fetch;
  readonly decision: Decision;
  readonly rung: Rung;
  readonly index: number;
  readonly requested_ms: number;
  /** The segment's size. The transfer is smaller if the browser has the segment cached and only revalidates it. */
  readonly size_bytes: number;
  readonly cached: boolean;
  /** When the player next checks whether to abandon the download. */
  progress_ms: number;
}

/** One media type: its buffer, its download, and the time of its next step. */
export class Track {
  readonly type: MediaType;
  readonly ladder: Ladder;
  /** The bitrates of the buffered segments, by index. */
  readonly bitrates: number[] = [];
  /** The segment to be requested next. */
  next = 0;
  bufferEnd_s = 0;
  download: Download | undefined;
  /** The fetch of the initialization segment of `rung`, which precedes the first media segment of that rung. */
  initialization: Fetch | undefined;
  /** When the player next considers a request. */
  schedule_ms: number;
  /** The representation of the next request. */
  rung: Rung;
  /**
   * Whether the rules must choose the rung of the next segment. They run once per segment, and not again after they
   * have changed its rung.
   */
  needsChoice = true;
  /** The delay before the next segment that the rules requested when they changed its rung. */
  delay_ms = 0;
  /** The index of the last abandoned segment; a segment is abandoned at most once. */
  abandonedIndex = -1;

  constructor(type: MediaType, ladder: Ladder, rung: Rung, schedule_ms: number) {
    this.type = type;
    this.ladder = ladder;
    this.rung = rung;
    this.schedule_ms = schedule_ms;
  }

  get wakes_ms(): number {
    const { download, initialization } = this;
    if (download) return Math.min(download.fetch.transfer.ends_ms, download.progress_ms);
    return initialization ? initialization.transfer.ends_ms : this.schedule_ms;
  }
}

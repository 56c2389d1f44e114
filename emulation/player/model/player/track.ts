import type { Decision } from '../../../../src/decision.ts';
import type { Ladder, Rung } from '../../../../src/film/ladder.ts';
import type { MediaType } from '../../../../src/film/media-type.ts';
import type { Fetch } from './wire.ts';

/** A segment under way. */
export interface Download {
  readonly fetch: Fetch;
  readonly decision: Decision;
  readonly rung: Rung;
  readonly index: number;
  readonly requested_ms: number;
  /** Bytes; more than the transfer's where the browser has it and asks only whether it is still valid. */
  readonly size_bytes: number;
  readonly cached: boolean;
  /** When the player looks next whether to give it up. */
  progress_ms: number;
}

/** One media type: what is buffered of it, what is on its way, and when to look after it next. */
export class Track {
  readonly type: MediaType;
  readonly ladder: Ladder;
  /** Of the segments that are buffered, their bitrates, by index. */
  readonly bitrates: number[] = [];
  /** The segment to be requested next. */
  next = 0;
  bufferEnd_s = 0;
  download: Download | undefined;
  /** The initialization segment of `rung`, which comes before its first media segment. */
  initialization: Fetch | undefined;
  /** When to think of the next request. */
  schedule_ms: number;
  /** The representation that the next request is for. */
  rung: Rung;
  /** The rules are asked once for each segment, and not again for one that they have changed the rung for. */
  asksRules = true;
  /** How long the rules wait with the next segment, where they have changed the rung for it. */
  delay_ms = 0;
  /** Of the segment that was given up: it is given up once. */
  givenUp = -1;

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

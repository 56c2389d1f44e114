import type { CompletedDecision, Decision } from '../decision.ts';
import { InitialThroughputHistory } from '../learning/history.ts';
import type { TextStorage } from '../learning/text-storage.ts';
import { makeLadder, type Ladder } from '../film/ladder.ts';
import type { SammyOptions } from '../options.ts';
import { Sammy } from '../session/sammy.ts';
import type { MediaState } from '../session/state.ts';
import { sessionSummary, type SessionSummary } from '../session/summary.ts';
import { milliseconds, seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';

/** The bitrate ladder of the tests. */
export const BITRATES_KBPS = [300, 700, 1500, 2300, 3300];
export const createLadder = (bitrates_kbps: readonly number[]): Ladder => {
  const rising = [...bitrates_kbps].sort((a, b) => a - b);
  const ladder = makeLadder(rising.map((rate) => ({ id: `${rate}`, bandwidth: rate * 1000 })));
  if (!ladder) throw new Error('empty ladder');
  return ladder;
};
export const ladder = createLadder(BITRATES_KBPS);
export const SEGMENT_S = 2;

/** A storage for a single text. */
export class Memory implements TextStorage {
  text: string | null = null;
  read() {
    return this.text;
  }
  write(text: string) {
    this.text = text;
  }
  remove() {
    this.text = null;
  }
}

/**
 * A session with a clock that the test advances. It uses HYB, whose results can be computed by hand, unless the test names
 * another algorithm.
 */
export function createSession(options: SammyOptions = {}, storage = new Memory()) {
  let now_s = 0;
  const sammy = new Sammy(
    { abr: 'hyb', ...options },
    {
      now: () => milliseconds(now_s * 1000),
      today: () => milliseconds(1_700_000_000_000 + now_s * 1000),
      history: new InitialThroughputHistory(storage),
      summary: sessionSummary,
    },
  ) as Sammy & { readonly summary: SessionSummary };
  const mediaState = (buffer: number, given: Partial<MediaState> = {}): MediaState => ({
    mediaType: 'video',
    ladder,
    buffer: seconds(buffer),
    playable: () => seconds(buffer),
    maxBuffer: seconds(30),
    bufferTarget: seconds(18),
    playbackRate: 1,
    nextSegmentAt: seconds(0),
    lowLatency: false,
    ...given,
  });
  const decide = (buffer: number, given: Partial<MediaState> = {}): Decision => {
    const state = mediaState(buffer, given);
    const { rung } = sammy.chooseRung(state);
    return sammy.decide(state, rung, seconds(SEGMENT_S));
  };
  /** The complete cycle of a segment that arrives at `rate` kbit/s. */
  const segment = (
    buffer: number,
    rate: number,
    duration_s: number,
    receipt: Receipt = {},
  ): CompletedDecision => {
    const decision = decide(buffer);
    now_s += duration_s;
    // Pass a copy, for which Sammy has stored no expected size, because the given rate and duration imply a different
    // size.
    return sammy.complete(
      { ...decision },
      {
        outcome: 'completed',
        size_bytes: (rate * 1000 * duration_s) / 8,
        download_ms: duration_s * 1000,
        receipt,
        from_cache: false,
      },
    );
  };
  return {
    sammy,
    storage,
    stateOf: mediaState,
    decide,
    segment,
    pass: (time_s: number) => {
      now_s += time_s;
    },
  };
}

import type { Rung } from '../film/ladder.ts';
import { bytes, kbps, rateOf, seconds, type Kbps } from '../units.ts';
import type { AbrState } from './abr.ts';
import { LASTING, SPARED_SHARE } from './lasting.ts';
import { lookahead, nextSegment, type Coming } from './lookahead.ts';

/** Two downloads, one after the other, at one throughput. */
interface Downloads {
  /** Buffered as the first begins, s of content. */
  readonly buffer: number;
  readonly first: number;
  /** Added as the first has arrived, s; below 0 for what must be left over. */
  readonly credit: number;
  /** Size of what is to arrive within all that, bytes. */
  readonly rest: number;
  readonly playbackRate: number;
}

/**
 * The least throughput x at which max(0, buffer - first / x) + credit >= rest / x: 0 where any does, Infinity where none
 * does. The left side grows with x and the right one falls.
 */
export function leastThroughput({ buffer, first, credit, rest, playbackRate }: Downloads): Kbps {
  if (rest === 0 && credit >= 0) return kbps(0);
  /** Content that plays for each byte, s. */
  let longest = (buffer + credit) / (first + rest);
  // The first one empties the buffer, and the viewer waits for the rest of it.
  if (rest > 0 && first * longest > buffer) longest = credit / rest;
  return longest > 0 ? rateOf(bytes(1), seconds(longest / playbackRate)) : kbps(Infinity);
}

/** The least throughput at which, once the next segment of `rung` has arrived at it, at least `least` s are buffered. */
export function throughputToHave(state: AbrState, rung: Rung, least: number): Kbps {
  const { buffer, playbackRate } = state;
  const { size: first, duration } = nextSegment(state, rung);
  return leastThroughput({ buffer, playbackRate, first, credit: duration - least, rest: 0 });
}

/** The same, for so much to be buffered that the rung is kept, with the inertia of `lasts`. */
export function throughputToKeep(state: AbrState, rung: Rung, least: number): Kbps {
  const { buffer, playbackRate } = state;
  const { size: first, duration } = nextSegment(state, rung);
  const reaching = (credit: number, rest: number) =>
    leastThroughput({ buffer, playbackRate, first, credit, rest });
  let [size, played, meanwhile] = [0, 0, 0];
  for (const segment of lookahead(comingAfter(state, duration), rung, LASTING)) {
    size += segment.size;
    meanwhile = Math.max(meanwhile, reaching(duration + played / SPARED_SHARE, size / SPARED_SHARE));
    played += segment.duration;
  }
  const then = reaching(duration - least + played, size);
  return kbps(Math.min(reaching(duration - least, 0), Math.max(then, meanwhile)));
}

/** What comes after the next segment, which lasts `duration` s. */
const comingAfter = ({ sizes, nextSegmentAt, segmentDuration }: AbrState, duration: number): Coming => ({
  sizes,
  nextSegmentAt: seconds(nextSegmentAt + duration),
  segmentDuration,
});

/** The least throughput at which, once `rung` has arrived at it, the next one of `rung` arrives in the share of the buffer. */
export function throughputToSuffice(state: AbrState, rung: Rung, share: number): Kbps {
  const { buffer, playbackRate, lowLatency } = state;
  const first = nextSegment(state, rung);
  const second = nextSegment(comingAfter(state, first.duration), rung);
  const credit = first.duration + (lowLatency ? second.duration : 0);
  return leastThroughput({ buffer, playbackRate, first: first.size, credit, rest: second.size / share });
}

import type { Rung } from '../film/ladder.ts';
import { bytes, kbps, averageRate, seconds, type Kbps } from '../units.ts';
import type { AbrState } from './abr.ts';
import { SUSTAINED_PERIOD, MAX_SEGMENT_SHARE } from './sustainable.ts';
import { lookahead, nextSegment, type UpcomingState } from './lookahead.ts';

/** Two consecutive downloads at the same throughput. */
interface TwoDownloads {
  /** Buffer level when the first one begins, s of content. */
  readonly buffer: number;
  readonly first: number;
  /** Content added by the first download, s, minus the content that must be left at the end, s. */
  readonly credit: number;
  /** Size of the second download, bytes. */
  readonly rest: number;
  readonly playbackRate: number;
}

/**
 * The lowest throughput x with max(0, buffer - first / x) + credit >= rest / x: 0 if every x satisfies the condition,
 * Infinity if none does. The left side grows with x, and the right side shrinks.
 */
export function leastThroughput({ buffer, first, credit, rest, playbackRate }: TwoDownloads): Kbps {
  if (rest === 0 && credit >= 0) return kbps(0);
  // The longest time per byte, in seconds of content.
  let longest = (buffer + credit) / (first + rest);
  // The first download empties the buffer, so only `credit` is left for the second download.
  if (rest > 0 && first * longest > buffer) longest = credit / rest;
  return longest > 0 ? averageRate(bytes(1), seconds(longest / playbackRate)) : kbps(Infinity);
}

/** The lowest throughput at which at least `least` s are buffered when the next segment of `rung` has arrived. */
export function throughputToHave(state: AbrState, rung: Rung, least: number): Kbps {
  const { buffer, playbackRate } = state;
  const { size: first, duration } = nextSegment(state, rung);
  return leastThroughput({ buffer, playbackRate, first, credit: duration - least, rest: 0 });
}

/**
 * The lowest throughput at which `rung` is kept: at least `least` s are buffered when the next segment has arrived, or
 * `SUSTAINED_PERIOD` later (sustainable.ts).
 */
export function throughputToKeep(state: AbrState, rung: Rung, least: number): Kbps {
  const { buffer, playbackRate } = state;
  const { size: first, duration } = nextSegment(state, rung);
  const reaching = (credit: number, rest: number) =>
    leastThroughput({ buffer, playbackRate, first, credit, rest });
  let [size, played, meanwhile] = [0, 0, 0];
  for (const segment of lookahead(upcomingAfter(state, duration), rung, SUSTAINED_PERIOD)) {
    size += segment.size;
    meanwhile = Math.max(
      meanwhile,
      reaching(duration + played / MAX_SEGMENT_SHARE, size / MAX_SEGMENT_SHARE),
    );
    played += segment.duration;
  }
  const then = reaching(duration - least + played, size);
  return kbps(Math.min(reaching(duration - least, 0), Math.max(then, meanwhile)));
}

/** The upcoming segments after the next one, which has the given duration, s. */
const upcomingAfter = (
  { sizes, nextSegmentAt, segmentDuration }: AbrState,
  duration: number,
): UpcomingState => ({
  sizes,
  nextSegmentAt: seconds(nextSegmentAt + duration),
  segmentDuration,
});

/**
 * The lowest throughput at which the second segment of `rung` from now arrives within `share` of the buffer level that
 * is left after the first.
 */
export function throughputToSuffice(state: AbrState, rung: Rung, share: number): Kbps {
  const { buffer, playbackRate, lowLatency } = state;
  const first = nextSegment(state, rung);
  const second = nextSegment(upcomingAfter(state, first.duration), rung);
  const credit = first.duration + (lowLatency ? second.duration : 0);
  return leastThroughput({ buffer, playbackRate, first: first.size, credit, rest: second.size / share });
}

import { GOODPUT_OF_PACE } from '../pace/pace.ts';
import { kbps, type Kbps } from '../units.ts';
import { roundUpToRtp } from '../wire/rtp.ts';
import type { SegmentRemainder } from './segment-remainder.ts';

/** The share of the playable time that the rest of the segment may take. */
const SHARE_OF_BUFFER = 0.8;
/** A segment that must arrive faster than this multiple of the top bitrate is not paced: Sammy's c0 (§5). */
const MOST_URGENT = 3.2;
/** With less playable time, s, the segment is unpaced, because a smaller change would come too late. */
const NEARLY_EMPTY_S = 0.5;
/** The smallest ratio between the old and new rate for which a change is requested. */
const WORTHWHILE = 1.15;

/** Rates of a response in flight. A null pace means unpaced. */
export interface Rates {
  readonly pace: Kbps | null;
  readonly floor: Kbps;
}

/**
 * The rates that a segment in flight needs: the requested rates, or higher rates if the segment would otherwise be
 * late. The rates never fall below the requested rates, because a download below its requested pace would count as
 * limited by the network.
 */
export function wantedRates(
  asked: { readonly pace: Kbps; readonly floor: Kbps },
  { left, playable, top, playbackRate }: SegmentRemainder,
): Rates {
  const needed = (left * 8) / 1000 / (playable * SHARE_OF_BUFFER * GOODPUT_OF_PACE);
  const most = Math.max(asked.pace, MOST_URGENT * top * Math.max(1, playbackRate));
  if (playable < NEARLY_EMPTY_S || needed > most) return { pace: null, floor: asked.floor };
  const rate = roundUpToRtp(kbps(needed));
  return { pace: kbps(Math.max(asked.pace, rate)), floor: kbps(Math.max(asked.floor, rate)) };
}

/** Whether the difference justifies a request. */
export function isWorthwhile(from: Rates, to: Rates): boolean {
  const [before, after] = [from.pace ?? Infinity, to.pace ?? Infinity];
  if (before === Infinity && after === Infinity) return false;
  return differ(before, after) || differ(from.floor, to.floor);
}

const differ = (one: number, other: number): boolean =>
  Math.max(one, other) > WORTHWHILE * Math.min(one, other);

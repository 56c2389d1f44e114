import { GOODPUT_OF_PACE } from '../pace/pace.ts';
import { kbps, type Kbps } from '../units.ts';
import { roundUpToRtp } from '../wire/rtp.ts';
import type { Rest } from './rest.ts';

/** Of what is left to play, the rest of the segment may take this share. Ours. */
const SHARE_OF_BUFFER = 0.8;
/** A segment that needs more than this multiple of the top bitrate is not paced: Sammy's c0 (§5). */
const MOST_URGENT = 3.2;
/** Of so little to play, s, a change would come too late to be chosen with care. */
const NEARLY_EMPTY_S = 0.5;
/** A change is asked for where it makes at least this much of a difference. */
const WORTHWHILE = 1.15;

/** Rates of a response under way; a pace of null is none. */
export interface Rates {
  readonly pace: Kbps | null;
  readonly floor: Kbps;
}

/**
 * The rates that a segment under way had better have: those that were asked for, or higher ones where it would otherwise not
 * arrive in time. Never lower ones, for a sample below its pace would be taken for the network's.
 */
export function wantedRates(
  asked: { readonly pace: Kbps; readonly floor: Kbps },
  { left, playable, top, playbackRate }: Rest,
): Rates {
  const needed = (left * 8) / 1000 / (playable * SHARE_OF_BUFFER * GOODPUT_OF_PACE);
  const most = Math.max(asked.pace, MOST_URGENT * top * Math.max(1, playbackRate));
  if (playable < NEARLY_EMPTY_S || needed > most) return { pace: null, floor: asked.floor };
  const rate = roundUpToRtp(kbps(needed));
  return { pace: kbps(Math.max(asked.pace, rate)), floor: kbps(Math.max(asked.floor, rate)) };
}

/** Whether a change from one to the other is worth a request. */
export function isWorthwhile(from: Rates, to: Rates): boolean {
  const [before, after] = [from.pace ?? Infinity, to.pace ?? Infinity];
  if (before === Infinity && after === Infinity) return false;
  return differ(before, after) || differ(from.floor, to.floor);
}

const differ = (one: number, other: number): boolean =>
  Math.max(one, other) > WORTHWHILE * Math.min(one, other);

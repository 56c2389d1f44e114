import { kbps, type Kbps } from '../units.ts';

/** CTA-5004 §3.2, Table 1: `rtp` is an integer of kbit/s that MUST be rounded to the nearest 100. */
export const RTP_STEP_KBPS = 100;

/**
 * The largest `rtp` that means a pace: 100 Gbit/s. Above it the value is taken for a mistake, since it
 * would be served unpaced anyway, and it keeps bytes/s within an unsigned 64-bit pacing rate.
 */
export const RTP_MAX_KBPS = kbps(100_000_000);

/**
 * The wire form of a pace. Rounds up, never below the asked rate: a pace is a lower bound's neighbour
 * (Sammy Eq. 1), and rounding it down could cross the bound. A multiple of 100 is left as it is. More than
 * `RTP_MAX_KBPS` is as good as that, and a receiver would refuse it.
 */
export const roundUpToRtp = (pace: Kbps): Kbps => {
  const rounded = Math.ceil(pace / RTP_STEP_KBPS - 1e-9) * RTP_STEP_KBPS;
  return kbps(Math.min(RTP_MAX_KBPS, Math.max(RTP_STEP_KBPS, rounded)));
};

/** Digits only, as a CMCD integer is written. */
export const printRtp = (pace: Kbps): string => String(roundUpToRtp(pace));

export type RtpRefusal = 'not-a-number' | 'not-an-integer' | 'not-positive' | 'absurdly-large' | 'too-long';

/** A pace, or why there is none. Never throws. */
export function parseRtp(text: string): { pace: Kbps } | { refused: RtpRefusal } {
  if (text.length > 16) return { refused: 'too-long' };
  if (!/^-?\d+(\.\d+)?$/.test(text)) return { refused: 'not-a-number' };
  const value = Number(text);
  if (value <= 0) return { refused: 'not-positive' };
  if (!Number.isInteger(value)) return { refused: 'not-an-integer' };
  if (value > RTP_MAX_KBPS) return { refused: 'absurdly-large' };
  return { pace: kbps(value) };
}

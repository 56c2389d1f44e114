import { kbps, type Kbps } from '../units.ts';

/** CTA-5004 §3.2, Table 1: `rtp` is an integer of kbit/s that MUST be rounded to the nearest 100. */
export const RTP_STEP_KBPS = 100;

/**
 * The largest accepted `rtp`: 100 Gbit/s. Larger values are rejected as mistakes. The limit also keeps the pace in bytes/s
 * within the kernel's unsigned 64-bit pacing rate.
 */
export const RTP_MAX_KBPS = kbps(100_000_000);

/**
 * Rounds a pace up to a valid value of `rtp`. Rounding down could cross a lower bound of the pace (Sammy Eq. 1). Values
 * above `RTP_MAX_KBPS`, which receivers reject, become `RTP_MAX_KBPS`.
 */
export const roundUpToRtp = (pace: Kbps): Kbps => {
  const rounded = Math.ceil(pace / RTP_STEP_KBPS - 1e-9) * RTP_STEP_KBPS;
  return kbps(Math.min(RTP_MAX_KBPS, Math.max(RTP_STEP_KBPS, rounded)));
};

/**
 * A custom CMCD key (CTA-5004 §2) that marks requests of this plug-in. In requests without it, an edge raises an `rtp`
 * below three times the largest bitrate of the request, because other players may request too little.
 */
export const PLUGIN_KEY = 'io.github.dashjs-sammy';

/**
 * A custom CMCD key for servers that see only one request of a connection at a time, such as VCL. The value is the sum
 * of the paces of all the plug-in's requests in flight to the origin, including this one, kbit/s in the steps of `rtp`.
 * Absent if any of these requests is unpaced.
 */
export const SUM_KEY = `${PLUGIN_KEY}-sum`;

/**
 * A custom CMCD key for edges that yield to other traffic below the pace: the lowest rate that the viewer needs for this
 * response, kbit/s in the steps of `rtp`.
 */
export const FLOOR_KEY = `${PLUGIN_KEY}-floor`;

/**
 * A custom CMCD key for edges that can change the pace of a response in flight: a secret of this response, which a change
 * request must repeat. 128 random bits in lowercase hexadecimal.
 */
export const CHANGE_KEY = `${PLUGIN_KEY}-change`;

/** The path for change requests: POST, with the same CMCD keys as a request with a pace. */
export const CHANGE_PATH = '/.sammy/v1/pace';

/** The member of Server-Timing that announces support for changes of pace. */
export const CHANGE_OFFER = 'pace-change';

export type RtpRefusal = 'not-a-number' | 'not-an-integer' | 'not-positive' | 'absurdly-large' | 'too-long';

/** Returns the pace, or the reason why `text` is refused. Never throws. */
export function parseRtp(text: string): { pace: Kbps } | { refused: RtpRefusal } {
  if (text.length > 16) return { refused: 'too-long' };
  if (!/^-?\d+(\.\d+)?$/.test(text)) return { refused: 'not-a-number' };
  const value = Number(text);
  if (value <= 0) return { refused: 'not-positive' };
  if (!Number.isInteger(value)) return { refused: 'not-an-integer' };
  if (value > RTP_MAX_KBPS) return { refused: 'absurdly-large' };
  return { pace: kbps(value) };
}

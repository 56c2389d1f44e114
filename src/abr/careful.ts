import type { CompletedDecision } from '../decision.ts';
import { kbps, averageRate, seconds } from '../units.ts';
import type { AbrAlgorithm, AbrState } from './abr.ts';
import { hybSession, withOwnOptions, type HybOptions, type HybPrediction } from './hyb.ts';
import { nextSegment } from './lookahead.ts';
import { harmonicMean } from './predict.ts';
import { throughputSample } from './samples.ts';

/**
 * The share of the recently received content, and of the player's buffer target, that is kept in reserve:
 * `RESERVE_SHARE_UP` for a switch up, otherwise `RESERVE_SHARE`. With 0.5 for both, a network that sustains 60% of the
 * top bitrate causes 22 switches in 300 s instead of 12: a rung that uses up the reserve is chosen again as soon as one
 * segment has refilled it. With a `RESERVE_SHARE` below 0.45, a pace at the required throughput (Eq. 1 in hyb.ts) lets
 * the buffer fall so low that large segments of the top rung are not chosen.
 */
const RESERVE_SHARE = 0.45;
const RESERVE_SHARE_UP = 0.55;
/**
 * The number of latest downloads whose conditions may recur. With 4, SSIM is 0.02 to 0.08 dB higher than with 5; the
 * share of stall time is 0.17 percentage points higher on Puffer's slow networks, and 0.07 on Norway 3G. With 6, the
 * share is 0.17 points lower on Puffer's slow networks; SSIM is 0.14 dB lower on all of Puffer's networks.
 */
const SAMPLES = 5;
/**
 * If the conditions of a past download recur, the throughput is assumed to be this share of the download's rate. A share
 * of 1 causes more stalls on Puffer's networks and Norway 3G. During the first `ALL_DOWNLOADS` downloads, the share is
 * the download's rate divided by the prediction, limited to between 0.7 and 1. With 0.7 from the start, the first 20 s at
 * a steady 1 Mbit/s would have 1 dB less SSIM than with dash.js.
 */
const RECURRING_SHARE = 0.7;
const ALL_DOWNLOADS = 10;
/**
 * The conditions of a slow download may recur for this many times its duration. Values from 4 to 6 lower SSIM by up to
 * 0.06 dB on Puffer's networks and prevent no stalls.
 */
const RECURRING_TIME_FACTOR = 3;
/**
 * During the first ten downloads, the next segment may take this many times its duration, provided that none of these
 * downloads was slower than 0.7 of the prediction. Of 36 simulated starts at a steady rate, 15 have an SSIM more than
 * 0.05 dB below dash.js's with a value of 1, because rungs stay too low while the buffer is short. With 2, only 4 do.
 * If slow downloads did not end this allowance, the share of stall time would be 0.3 percentage points higher on
 * Puffer's slow networks.
 */
const STEADY_START = 2;
/**
 * The largest share of the buffer level that the next segment may take when slow conditions recur. For a switch up,
 * HYB's margin of 1.2 also applies: 0.375 / 1.2 = 0.31. Long buffers have `LONG_MAX_BUFFER_SHARE`.
 */
const MAX_BUFFER_SHARE = 0.375;
/**
 * A buffer target above this, s, is long. hls.js buffers up to minutes of content. With its own rules it fills the
 * buffer before quality rises, and rarely stalls. With a long target this algorithm does so, too: after the first ten
 * downloads, the reserve is a share of at least `LONG_RESERVED_S` of content (at most of the target), the next segment
 * may take at most `LONG_MAX_BUFFER_SHARE` of the buffer, and `STEADY_START` does not apply. Chosen with hls.js on drawn networks and Puffer's
 * (docs/results/log/algorithms.md): less reserve or a larger share stalls more, a smaller share has less SSIM than
 * hls.js's own rules.
 */
const LONG_BUFFER_S = 30;
const LONG_RESERVED_S = 60;
const LONG_MAX_BUFFER_SHARE = 0.2;

/**
 * HYB with a reserve: the default algorithm. HYB plans with a single throughput estimate. When a link drops to a tenth
 * of its rate, the estimate falls slowly, and HYB may request several segments that each take 5 to 20 s to arrive and
 * use up the buffer. This algorithm has two conditions in addition to HYB's:
 *
 * - At the full predicted throughput, a reserve must be left in the buffer at the end of the lookahead. The reserve is
 *   0 at startup and grows with the first ten downloads. A switch up needs a larger reserve than the present rung.
 * - The next segment must arrive in time if the conditions of any of the last five downloads recur: within its own
 *   duration or three eighths of the buffer level, whichever is longer. Recurring conditions are 0.7 of that download's
 *   rate (more at startup) for three times its duration, followed by the predicted throughput.
 *
 * The prediction is the estimate, or the harmonic mean of the last five samples if that is higher. The harmonic mean recovers
 * sooner after a slow period, because an average over download time gives little weight to fast, short downloads.
 *
 * The constants were chosen on six sets of networks, starting at random points (docs/results/log/default.md).
 */
export const CAREFUL: AbrAlgorithm = {
  name: 'careful',
  session: (options) => hybSession(options, predictCarefully),
};

/**
 * Creates `CAREFUL` with its own options, which override Sammy's. Throws an Error that names an option that is unknown
 * or out of range.
 */
export const careful = (own: HybOptions = {}): AbrAlgorithm => withOwnOptions(CAREFUL, own);

/**
 * The predicted throughput, and two requirements for each rung. The first is the reserve, s: a share of the content of
 * the latest ten downloads, at most the same share of the buffer target, and less before ten downloads. The second is
 * the predicted throughput that is needed for the next segment to arrive in time if the conditions of one of the last
 * five downloads recur. This is a condition on the prediction, because each download's rate is expressed as a share of
 * the prediction.
 */
function predictCarefully(state: AbrState): HybPrediction {
  const { downloads, throughput, buffer, bufferTarget, playbackRate, previous } = state;
  const predicted = kbps(Math.max(throughput, harmonicMean(state)));
  const relativeRate = (download: CompletedDecision): number =>
    throughputSample(download, throughput) / predicted;
  const grown = downloads.length / ALL_DOWNLOADS;
  const isLong = bufferTarget > LONG_BUFFER_S;
  const bufferShare = isLong ? LONG_MAX_BUFFER_SHARE : MAX_BUFFER_SHARE;
  const leastReserved_s = isLong && grown >= 1 ? LONG_RESERVED_S : 0;
  const isSteadyStart =
    !isLong && grown < 1 && downloads.every((download) => relativeRate(download) >= RECURRING_SHARE);
  const latest = downloads.slice(-SAMPLES).map((download) => {
    const ratio = relativeRate(download);
    const share = ratio * Math.max(RECURRING_SHARE, grown < 1 ? Math.min(1, ratio) : 0);
    return [share, (RECURRING_TIME_FACTOR * download.download_ms) / 1000] as const;
  });
  return {
    predicted,
    requirements(rung) {
      const { size, duration } = nextSegment(state, rung);
      const most_s =
        Math.max((isSteadyStart ? STEADY_START : 1) * duration, bufferShare * buffer) / playbackRate;
      const times_s = latest.map(([share, lasts_s]) => Math.max(share * most_s, most_s - lasts_s));
      const kept = rung.bitrate_kbps > (previous ?? rung).bitrate_kbps ? RESERVE_SHARE_UP : RESERVE_SHARE;
      return [
        kept * grown * Math.min(Math.max(downloads.length * duration, leastReserved_s), bufferTarget),
        averageRate(size, seconds(Math.min(...times_s))),
      ];
    },
  };
}

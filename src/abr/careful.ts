import type { CompletedDecision } from '../decision.ts';
import { kbps, rateOf, seconds } from '../units.ts';
import type { AbrAlgorithm, AbrState } from './abr.ts';
import { hybSession, withOwnOptions, type HybOptions, type Outlook } from './hyb.ts';
import { nextSegment } from './lookahead.ts';
import { harmonicMean } from './predict.ts';
import { sampleOf } from './samples.ts';

/**
 * The share of what has arrived lately, and of what the player fills up to at any rung, that is kept in reserve: by the present
 * rung, and by a higher one. Ours: with 0.5 for both, a network that carries 60% of the top bitrate has 22 switches in 300 s
 * instead of 12, since the rung that spends the reserve is taken again as soon as a segment has filled it up. With less than
 * 0.45, a pace at the bound of Eq. 1 lets the buffer fall so low that large segments of the top rung are not chosen.
 */
const RESERVE_SHARE = 0.45;
const RESERVE_SHARE_UP = 0.55;
/**
 * Each of so many of the latest downloads may come again. Ours: with 4, 0.17 points more stalls on Puffer's slow networks and
 * 0.07 on Norway 3G, for 0.02 to 0.08 dB; with 6, as much less again on the former, for 0.14 dB on Puffer's.
 */
const SAMPLES = 5;
/**
 * Its rate may be lower then: this share of it. Ours: with the whole rate, more stalls on Puffer's networks and Norway 3G.
 * Before ten downloads it is less low where all are alike: with 0.7 from the start on, there is 1 dB less than dash.js in
 * the first 20 s at a steady 1 Mbit/s.
 */
const WORSE = 0.7;
const ALL_DOWNLOADS = 10;
/** What made it slow may last longer than it did: so many times. Ours: with 4 to 6, up to 0.06 dB less on Puffer's networks, for no stall less. */
const LONGER = 3;
/**
 * As long as none of the first ten downloads was slower than 0.7 of the prediction, the next segment may take so many times its
 * duration then: with little in the buffer the first rungs would stay too low. Ours: of 36 starts at a steady rate, 15 had
 * more than 0.05 dB less than dash.js with 1, and 4 with 2; without the condition, 0.3 points more stalls on Puffer's slow
 * networks.
 */
const STEADY_START = 2;
/** Of the buffer, what the next segment may take then. Ours; for a switch up, with HYB's margin, 0.31. */
const MOST_SHARE = 0.375;

/**
 * HYB that keeps a reserve, ours, and the default. HYB plans on one throughput, which is slow to fall, and may spend the whole
 * buffer on the way. In sessions in which it stalled and stock dash.js did not, a link had fallen to a tenth, and HYB asked
 * once, twice, three times more for rungs that took 5 to 20 s of buffer each, and then had 3 s left where stock had 11.
 * So, beside HYB's conditions:
 *
 * - Only what is buffered above a reserve may be spent over the lookahead, at the whole prediction. The reserve grows with
 *   the first ten downloads, since at the start there is nothing to keep. A switch up needs more of it than to stay.
 * - If one of the last five downloads came again, the next segment would take no longer than it plays, or three eighths of
 *   the buffer. The network then carries 0.7 of that download's rate (more at the start), for three times as long as it took, and after that the
 *   predicted throughput: a fade of half a second forbids little, and a network that stays slow forbids what it cannot
 *   carry.
 * - The prediction is the estimate, or the harmonic mean of the last five samples where that is higher. It rises after a
 *   bad spell, where an average over download time hardly sees the fast, short downloads.
 *
 * The constants were chosen on six sets of networks, from random places (docs/results/log/default.md).
 */
export const CAREFUL: AbrAlgorithm = {
  name: 'careful',
  session: (options) => hybSession(options, outlookOf),
};

/**
 * The same with options of its own, which Sammy's do not change. Throws an Error that names an option that is unknown or out
 * of range.
 */
export const careful = (own: HybOptions = {}): AbrAlgorithm => withOwnOptions(CAREFUL, own);

/**
 * The reserve, s: a share of the content of the latest ten downloads, and at most that of what the player fills up to; before
 * there are ten, a part of it, since the first downloads spend what is to become the reserve. And the predicted throughput from
 * which on the next segment would take little enough if one of the last five downloads came again. The rate of each is a share
 * of the prediction, so that this is a condition on that.
 */
function outlookOf(state: AbrState): Outlook {
  const { downloads, throughput, buffer, bufferTarget, playbackRate, previous } = state;
  const predicted = kbps(Math.max(throughput, harmonicMean(state)));
  const ratioOf = (download: CompletedDecision): number => sampleOf(download, throughput) / predicted;
  const grown = downloads.length / ALL_DOWNLOADS;
  const isSteadyStart = grown < 1 && downloads.every((download) => ratioOf(download) >= WORSE);
  const latest = downloads.slice(-SAMPLES).map((download) => {
    const ratio = ratioOf(download);
    const share = ratio * Math.max(WORSE, grown < 1 ? Math.min(1, ratio) : 0);
    return [share, (LONGER * download.download_ms) / 1000] as const;
  });
  return {
    predicted,
    caution(rung) {
      const { size, duration } = nextSegment(state, rung);
      const most_s =
        Math.max((isSteadyStart ? STEADY_START : 1) * duration, MOST_SHARE * buffer) / playbackRate;
      const times_s = latest.map(([share, lasts_s]) => Math.max(share * most_s, most_s - lasts_s));
      const kept = rung.bitrate_kbps > (previous ?? rung).bitrate_kbps ? RESERVE_SHARE_UP : RESERVE_SHARE;
      return [
        kept * grown * Math.min(downloads.length * duration, bufferTarget),
        rateOf(size, seconds(Math.min(...times_s))),
      ];
    },
  };
}

import type { Rung } from '../film/ladder.ts';
import { rateOf, seconds } from '../units.ts';
import type { AbrAlgorithm, AbrState } from './abr.ts';
import { hybSession, withOwnOptions, type HybOptions } from './hyb.ts';
import { nextSegment } from './lookahead.ts';
import { harmonicMean } from './predict.ts';
import { sampleOf } from './samples.ts';

/** Of what has arrived lately, and of what the player fills up to at any rung. Ours: of the latter 0.4 stalls more, for 0.05 dB. */
const RESERVE_SHARE = 0.5;
/** So many of the latest samples tell how slow the network may be; as in MPC over scenarios. */
const SAMPLES = 3;
/** Of the buffer, what the next segment may take then. Ours; for a switch up, with HYB's margin, 0.31. */
const MOST_SHARE = 0.375;

/**
 * HYB that keeps a reserve, ours. HYB plans on one throughput, which is slow to fall, and may spend the whole
 * buffer on the way. In sessions in which it stalled and stock dash.js did not, a link had fallen to a tenth, and HYB asked
 * once, twice, three times more for rungs that took 5 to 20 s of buffer each, and then had 3 s left where stock had 11.
 * So, beside HYB's conditions:
 *
 * - Only what is buffered above a reserve may be spent over the lookahead, at the whole estimate. The reserve grows with
 *   the first ten downloads, since at the start there is nothing to keep.
 * - If the network were as slow as in the least of the last three samples, the next segment would take no longer than it
 *   plays, or three eighths of the buffer. The
 *   least sample is a share of the predicted throughput, so that this is a condition on that.
 * - The prediction is the harmonic mean of the last five samples. It rises after a bad spell, where an average over
 *   download time hardly sees the fast, short downloads.
 *
 * The constants were chosen on Norway 3G and FCC SD, from random places (docs/results/log/algorithms.md).
 */
const CAREFUL: AbrAlgorithm = {
  name: 'careful',
  session: (options) => hybSession(options, harmonicMean, caution),
};

/**
 * The same with options of its own, which Sammy's do not change. Throws an Error that names an option that is unknown or out
 * of range.
 */
export const careful = (own: HybOptions = {}): AbrAlgorithm => withOwnOptions(CAREFUL, own);

/**
 * The reserve, s: half of the content of the latest ten downloads, and at most half of what the player fills up to. And the
 * predicted throughput from which on the next segment would take little enough if the least sample came again.
 */
function caution(state: AbrState, rung: Rung): readonly [reserve_s: number, least: number] {
  const { downloads, throughput, buffer, bufferTarget, playbackRate } = state;
  const { size, duration } = nextSegment(state, rung);
  const samples = downloads.slice(-SAMPLES).map((download) => sampleOf(download, throughput));
  // Without any it is Infinity, and nothing is required.
  const worst = Math.min(...samples) / harmonicMean(state);
  return [
    RESERVE_SHARE * Math.min(downloads.length * duration, bufferTarget),
    rateOf(size, seconds((worst * Math.max(duration, MOST_SHARE * buffer)) / playbackRate)),
  ];
}

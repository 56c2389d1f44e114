import { topOf } from '../film/ladder.ts';
import { kbps } from '../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrState } from './abr.ts';

/** Of a full buffer, the paper's 90 s of 240 s: up to here the lowest rung is taken. */
const RESERVOIR = 90 / 240;
/** From here on the top rung is taken. Between the two, which the paper calls the cushion, the rate grows linearly. */
const UPPER_RESERVOIR = 0.9;

/** Before the first segment has told. */
const USUAL_SEGMENT_S = 2;

/**
 * Buffer-based rate adaptation, BBA-0 (Huang et al., SIGCOMM 2014, Algorithm 1): the fuller the buffer, the higher the
 * rung, whatever the throughput. The rung stays until the rate that the buffer stands for has come to the next one.
 *
 * A buffer is full when it has no room for another segment below what the player fills up to at any rung. A session
 * begins with the lowest rung. No throughput makes it take a higher one at once, and so it needs 0 or Infinity.
 */
export const bba = (): AbrAlgorithm => ({
  name: 'bba',
  session: () => ({
    choose,
    requiredThroughput: (state, rung) =>
      kbps(choose(state).rung.bitrate_kbps >= rung.bitrate_kbps ? 0 : Infinity),
  }),
});

function choose(state: AbrState): AbrChoice {
  const { ladder, buffer, bufferTarget, segmentDuration = USUAL_SEGMENT_S } = state;
  const [lowest] = ladder;
  const top = topOf(ladder);
  // In a buffer of less than two segments, half of it.
  const full = Math.max(bufferTarget - segmentDuration, bufferTarget / 2);
  const [reservoir, upper] = [RESERVOIR * full, UPPER_RESERVOIR * full];
  if (buffer <= reservoir) return { rung: lowest, reason: 'reservoir' };
  if (buffer >= upper) return { rung: top, reason: 'upper-reservoir' };

  const mapped_kbps =
    lowest.bitrate_kbps +
    ((top.bitrate_kbps - lowest.bitrate_kbps) * (buffer - reservoir)) / (upper - reservoir);
  const previous_kbps = (state.previous ?? lowest).bitrate_kbps;
  const higher = ladder.find(({ bitrate_kbps }) => bitrate_kbps > previous_kbps);
  const lower = ladder.findLast(({ bitrate_kbps }) => bitrate_kbps < previous_kbps);
  if (higher && mapped_kbps >= higher.bitrate_kbps) {
    const rung = ladder.findLast(({ bitrate_kbps }) => bitrate_kbps < mapped_kbps) ?? lowest;
    return { rung, reason: 'up' };
  }
  if (lower && mapped_kbps <= lower.bitrate_kbps) {
    const rung = ladder.find(({ bitrate_kbps }) => bitrate_kbps > mapped_kbps) ?? top;
    return { rung, reason: 'down' };
  }
  // The ladder may have lost the previous rung.
  return {
    rung: ladder.findLast(({ bitrate_kbps }) => bitrate_kbps <= previous_kbps) ?? lowest,
    reason: 'stays',
  };
}

import { scenarioMpc, type AbrAlgorithm } from '../../../src/abr/index.ts';
import { getBucket } from '../../../src/experiment/bucket.ts';
import type { Arm } from './arm.ts';

/** So many of the segments are explored with. No viewer suffers in the simulator; where some would, it is to be small. */
export const EXPLORED = 0.5;

/**
 * Chooses as `base` does, but this `share` of the segments, by lot, is of a rung that is drawn, all equally likely. A predictor of transmission
 * times that learns from what good algorithms did is misled twice. It has never seen a large segment on a slow network,
 * and is asked about some in every plan. And what it has seen a few segments ahead was large where the network had turned
 * out to be fast meanwhile: it takes large segments for fast ones. What is drawn tells nothing of how fast the network is.
 *
 * It is drawn by a hash of the segment and of how long the download before took, so that the same question has the same answer.
 */
export const exploring = (base: AbrAlgorithm, share = EXPLORED): AbrAlgorithm => ({
  name: `exploring-${base.name}`,
  session(options) {
    const session = base.session(options);
    return {
      choose(state) {
        const { ladder, nextSegmentAt, previous, downloads } = state;
        const drawn = getBucket('explored', `${nextSegmentAt} ${downloads.at(-1)?.download_ms}`) / share;
        const rung = previous && ladder[Math.floor(drawn * ladder.length)];
        return rung ? { rung, reason: 'explored' } : session.choose(state);
      },
      requiredThroughput: (state, rung) => session.requiredThroughput(state, rung),
      observe: (event) => session.observe?.(event),
    };
  },
});

/** For data to learn from: no viewer should have it. */
export const exploringArm: Arm = {
  name: 'exploring',
  about:
    'MPC over scenarios, unpaced, but half of the segments are of a rung that is drawn: data to learn from',
  sammy: { abr: exploring(scenarioMpc()), pacing: false },
};

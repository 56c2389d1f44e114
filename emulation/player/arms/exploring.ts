import { scenarioMpc, type AbrAlgorithm } from '../../../src/abr/index.ts';
import { getBucket } from '../../../src/experiment/bucket.ts';
import type { Arm } from './arm.ts';

/**
 * The share of explored segments. It is high because no viewer suffers in the simulator; with real viewers it has to be
 * small.
 */
export const EXPLORED = 0.5;

/**
 * Chooses like `base`, except that a random `share` of the segments gets a rung drawn uniformly. Without it, a predictor of
 * transmission times that learns from the decisions of good algorithms is biased twice. It has never seen a large segment on
 * a slow network, but must predict some in every plan. And the large segments in its data were chosen when the network had
 * turned out to be fast, so it predicts that large segments are fast. A drawn rung does not depend on the speed of the
 * network.
 *
 * The draw is a hash of the segment and of the previous download's duration, so that the same question has the same answer.
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

/** Collects training data; not for viewers. */
export const exploringArm: Arm = {
  name: 'exploring',
  about:
    'MPC over scenarios, unpaced, but half of the segments are of a rung that is drawn: data to learn from',
  sammy: { abr: exploring(scenarioMpc()), pacing: false },
};

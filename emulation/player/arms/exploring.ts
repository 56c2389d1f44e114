import { scenarioMpc, type AbrAlgorithm } from '../../../src/abr/index.ts';
import { getBucket } from '../../../src/experiment/bucket.ts';
import type { Arm } from './arm.ts';

/**
 * The share of segments with a random rung. It is high because the simulator has no viewers who could suffer from a bad
 * choice; with real viewers it has to be small.
 */
export const EXPLORED = 0.5;

/**
 * Chooses like `base`, except that a random `share` of the segments gets a rung drawn uniformly. Without random rungs,
 * the training data of a predictor of transmission times come only from good decisions, and bias the predictor in two
 * ways. They have no large segment on a slow network, although plans need predictions for such segments. And their
 * large segments were chosen when the network was fast, so the predictor learns that large segments arrive fast. A
 * random rung does not depend on the speed of the network.
 *
 * The draw is a hash of the segment and of the previous download's duration, so that the same state gives the same
 * choice.
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

/** The arm that collects training data; not for viewers. */
export const exploringArm: Arm = {
  name: 'exploring',
  about:
    'MPC over scenarios, unpaced, but half of the segments are of a rung that is drawn: data to learn from',
  sammy: { abr: exploring(scenarioMpc()), pacing: false },
};

import type { AbrAlgorithm, AbrState } from '../../../src/abr/abr.ts';
import { highestCarried } from '../../../src/abr/highest-carried.ts';
import { nextSegment } from '../../../src/abr/lookahead.ts';
import { policyBound } from '../../../src/abr/pensieve/pensieve.ts';
import { policyInputs, type PolicyInputs } from '../../../src/abr/pensieve/policy-inputs.ts';
import { scoreRungs, type Policy } from '../../../src/abr/pensieve/policy.ts';
import { hyb } from '../../../src/abr/hyb.ts';
import type { Random } from '../../ground/statistics/random.ts';
import { simulateSession } from '../../player/model/session.ts';
import type { SimulatedResult, SimulatedSession } from '../../player/model/simulated-session.ts';
import { REWARDS, computeReward } from './reward.ts';

/** A choice that was drawn by the policy's probabilities. */
export interface Step {
  readonly inputs: PolicyInputs;
  /** The index of the rung. */
  readonly action: number;
  /** ln of the action's probability. */
  readonly log_probability: number;
  /** The quality of this segment at each rung. */
  readonly quality: readonly number[];
  readonly begins_s: number;
}

/**
 * A step with its reward. The reward of a session's last step is not used, because the session's end cut the step off.
 */
export type RewardedStep = Pick<Step, 'inputs' | 'action' | 'log_probability'> & { readonly reward: number };

/** Plays a session in which rungs are drawn by the policy's probabilities. */
export function playEpisode(
  policy: Policy,
  session: Omit<SimulatedSession, 'arm'>,
  paced: boolean,
  random: Random,
): RewardedStep[] {
  const steps: Step[] = [];
  const arm = {
    sammy: { abr: drawingAlgorithm(policy, random, steps), ...(!paced && { pacing: false }) },
  } as const;
  return addRewards(steps, simulateSession({ ...session, arm }), policy, session);
}

/**
 * An algorithm that draws its choices from the policy. A player may ask several times per segment, and must get the
 * same rung each time. Otherwise, the last draw would take effect, but the first would be recorded.
 */
function drawingAlgorithm(policy: Policy, random: Random, steps: Step[]): AbrAlgorithm {
  return {
    name: 'drawing',
    session(options) {
      const startup = hyb().session(options);
      let asked: { readonly begins_s: number; readonly downloads: number } | undefined;
      return {
        choose(state) {
          if (!state.previous) return { rung: highestCarried(state, 0.9), reason: 'startup' };
          const { nextSegmentAt: begins_s, downloads } = state;
          const latest = downloads.at(-1)?.sequence ?? -1;
          const last = steps.at(-1);
          if (!last || asked?.begins_s !== begins_s || asked.downloads !== latest) {
            steps.push(drawStep(policy, state, random));
            asked = { begins_s, downloads: latest };
          }
          return { rung: state.ladder[steps.at(-1)?.action ?? 0] ?? state.ladder[0], reason: 'drawn' };
        },
        requiredThroughput: (state, rung) =>
          state.previous ? policyBound(policy, state, rung) : startup.requiredThroughput(state, rung),
      };
    },
  };
}

function drawStep(policy: Policy, state: AbrState, random: Random): Step {
  const inputs = policyInputs(state, policy.reward);
  const scores = scoreRungs(policy, inputs);
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  let left = random() * sum;
  let action = powers.findIndex((power) => (left -= power) < 0);
  if (action < 0) action = powers.length - 1;
  const quality = state.ladder.map((rung) =>
    policy.reward === 'bitrate' ? rung.bitrate_kbps / 1000 : (nextSegment(state, rung).ssim_db ?? NaN),
  );
  const log_probability = Math.log((powers[action] ?? NaN) / sum);
  return { inputs, action, log_probability, quality, begins_s: state.nextSegmentAt };
}

/** Tolerance when a segment is identified by its start. */
const ROUNDING_S = 0.1;

/** Returns the steps whose segments were requested, in order, each with its reward up to the next request. */
function addRewards(
  steps: readonly Step[],
  { decisions, playback }: SimulatedResult,
  { reward }: Policy,
  { film, seconds }: Pick<SimulatedSession, 'film' | 'seconds'>,
): RewardedStep[] {
  const video = decisions.filter(({ media_type }) => media_type === 'video');
  let from = 0;
  const requested = steps.flatMap((step) => {
    const at = video.findIndex(
      ({ segment_start_s }, index) => index >= from && Math.abs(segment_start_s - step.begins_s) < ROUNDING_S,
    );
    if (at < 0) return [];
    from = at + 1;
    return [{ step, at, at_s: (video[at]?.at_ms ?? 0) / 1000 }];
  });
  const stalls = stallCounter(playback, seconds);
  const findRungIndex = (id: string | undefined) => film.ladders.video.findIndex((rung) => rung.id === id);
  return requested.map(({ step, at, at_s }, index) => {
    const next = requested[index + 1];
    // Rewards use the requests' rungs, not the policy's choices: an abandoned segment is fetched again at a lower rung,
    // which the policy did not choose.
    const rung = findRungIndex(video[(next?.at ?? video.length) - 1]?.representation);
    const before = findRungIndex(video[at - 1]?.representation);
    const stalled_s = stalls(at_s, next?.at_s ?? seconds);
    const { inputs, action, log_probability, quality } = step;
    return {
      ...{ inputs, action, log_probability },
      reward: computeReward(REWARDS[reward], quality, { rung, before, stalled_s }),
    };
  });
}

/** Returns a function that computes the duration of stalls between two times after playback had begun. */
function stallCounter(playback: SimulatedResult['playback'], seconds: number) {
  const began = playback.findIndex(({ event }) => event === 'playing');
  const stalls = playback.flatMap(({ t_s, event }, index) =>
    event === 'playing' || index < began || began < 0
      ? []
      : [{ from_s: t_s, to_s: playback[index + 1]?.t_s ?? seconds }],
  );
  return (from_s: number, to_s: number): number =>
    stalls.reduce(
      (sum, stall) => sum + Math.max(0, Math.min(to_s, stall.to_s) - Math.max(from_s, stall.from_s)),
      0,
    );
}

import { describe, expect, it } from 'vitest';
import { RUNG_INPUTS, SHARED_INPUTS } from '../../../src/abr/pensieve/policy-inputs.ts';
import { readPolicy } from '../../../src/abr/pensieve/policy.ts';
import { policyFile } from '../../../src/testing/policy-file.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { constantRate, scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { scenesFilm } from '../../player/model/testing/scenes-film.ts';
import { playEpisode } from './episode.ts';
import { REWARDS, computeReward } from './reward.ts';

const film = scenesFilm();
const policy = readPolicy(policyFile());
const playOn = (capacity: ReturnType<typeof constantRate>, seed = 1) =>
  playEpisode(
    policy,
    { film, seconds: 60, network: { capacity, rtt_ms: 40, queue_bytes: 150_000 } },
    false,
    seededRandom(seed),
  );

describe('playEpisode', () => {
  it('has one step for each segment after the first, although the player asks more often', () => {
    const steps = playOn(constantRate(8));
    // 60 s of the session and at most 30 s of buffer, in segments of 2 s.
    expect(steps.length).toBeGreaterThan(60 / 2);
    expect(steps.length).toBeLessThanOrEqual(90 / 2);
    for (const { inputs, action, log_probability } of steps) {
      expect(inputs.shared).toHaveLength(SHARED_INPUTS);
      expect(inputs.rungs).toHaveLength(RUNG_INPUTS * film.ladders.video.length);
      expect(action).toBeLessThan(film.ladders.video.length);
      expect(log_probability).toBeLessThanOrEqual(0);
    }
  });

  it('charges a stall to the step in which it happened, at 4.3 per second', () => {
    // A fast link, and then an outage that is longer than any buffer.
    const steps = playOn(
      scheduledRate([
        { seconds: 8, mbps: 8 },
        { seconds: 60, mbps: 0.001 },
      ]),
    );
    const worst = Math.min(...steps.map(({ reward }) => reward));
    // At most 32 s of content can be played in the outage of 52 s, so the player stalls for at least 20 s.
    expect(worst).toBeLessThan(-4.3 * 15);
    expect(steps.at(-1)?.reward).toBe(worst);
  });

  it('is the same for the same seed, and differs for another seed', () => {
    expect(playOn(constantRate(3))).toEqual(playOn(constantRate(3)));
    expect(playOn(constantRate(3), 2)).not.toEqual(playOn(constantRate(3)));
  });
});

describe('computeReward', () => {
  it('is the quality minus its change minus the cost of stalls, by hand', () => {
    const quality = [0.3, 1.3, 3.3];
    expect(computeReward(REWARDS.bitrate, quality, { rung: 2, before: 1, stalled_s: 0.5 })).toBeCloseTo(
      3.3 - 2 - 2.15,
      9,
    );
    expect(computeReward(REWARDS.ssim, [12, 16], { rung: 0, before: -1, stalled_s: 0 })).toBe(12);
  });
});

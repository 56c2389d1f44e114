import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PacePolicy } from '../../../src/pace/pace.ts';
import { createLadder } from '../../../src/testing/session.ts';
import type { Film } from './player/film.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from './session.ts';

/**
 * A cache whose key contains the query stores each `rtp` of a segment separately, and also the segment without `rtp`.
 * Forty viewers watch the same video, each on another network.
 */
const SESSIONS = 40;
const SECONDS = 60;
/** Eighty sessions take several seconds, and more on a busy machine. */
const TIMEOUT_MS = 120_000;
const SEGMENT_S = 2;
const QUEUE_BYTES = 150_000;
const BITRATES_KBPS = [300, 1300, 3300];

/** Makes a video whose scenes have different bitrates. The mean bitrate is `mean` times the nominal one. */
function makeFilm(mean: number): Film {
  const random = seededRandom(7);
  let scene = 0;
  const weights = Array.from({ length: 120 }, () => {
    scene = 0.7 * scene + 0.5 * (random() - 0.5);
    return Math.exp(scene);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (weight: number) => (mean * weight * weights.length) / total;
  return {
    ladders: { video: createLadder(BITRATES_KBPS) },
    sidecar: {
      version: 1,
      segment_duration_s: weights.map(() => SEGMENT_S),
      representations: Object.fromEntries(
        BITRATES_KBPS.map((rate) => [
          `${rate}`,
          { segment_bytes: weights.map((weight) => Math.round(rate * 125 * SEGMENT_S * share(weight))) },
        ]),
      ),
    },
  };
}

function watch(pace: PacePolicy, film: Film) {
  const random = seededRandom(11);
  const variants = new Map<string, Set<number | null>>();
  let throughput_kbps = 0;
  for (let session = 0; session < SESSIONS; session++) {
    // Mean rates from 6 to 60 Mbit/s. Every 1 to 4 s, the rate changes to a random value within 30% of the mean.
    const mbps = 6 * 10 ** random();
    const steps = Array.from({ length: 30 }, () => ({
      seconds: 1 + 3 * random(),
      mbps: mbps * (0.7 + 0.6 * random()),
    }));
    const { decisions, summary } = simulateSession({
      arm: { sammy: { pace } },
      film,
      network: {
        capacity: scheduledRate(steps),
        rtt_ms: 5 + Math.round(75 * random()),
        queue_bytes: QUEUE_BYTES,
      },
      seconds: SECONDS,
    });
    throughput_kbps += (summary.chunk_throughput_kbps ?? NaN) / SESSIONS;
    for (const { representation, segment_start_s, requested_kbps } of decisions) {
      const object = `${representation} ${segment_start_s}`;
      variants.set(object, (variants.get(object) ?? new Set()).add(requested_kbps));
    }
  }
  return { variants: Math.max(...[...variants.values()].map(({ size }) => size)), throughput_kbps };
}

/** Loads the pace policies. With `exact`, paces are not rounded to coarse steps. */
async function policies(exact: boolean) {
  vi.resetModules();
  const asPlanned = { nearestStep: (pace: number) => pace, nearestFill: (fullness: number) => fullness };
  if (exact) vi.doMock('../../../src/pace/coarse-steps.ts', () => asPlanned);
  const { algorithm1 } = await import('../../../src/pace/algorithm-1.ts');
  const { smooth } = await import('../../../src/pace/smooth.ts');
  return { 'algorithm-1': algorithm1({ c0: 3.2, c1: 2.8 }), smooth: smooth() };
}

describe('paces are in coarse steps', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/pace/coarse-steps.ts');
  });

  it.each([
    ['algorithm-1', 1],
    ['smooth', 1],
    // Top rungs whose actual bitrate is lower and higher than the nominal one.
    ['smooth', 0.7],
    ['smooth', 1.15],
  ] as const)(
    '%s, video at %d times the nominal bitrate: at most 4 variants of a segment, and the same throughput',
    async (name, mean) => {
      const film = makeFilm(mean);
      const planned = watch((await policies(true))[name], film);
      vi.doUnmock('../../../src/pace/coarse-steps.ts');
      const coarse = watch((await policies(false))[name], film);
      expect(planned.variants).toBeGreaterThan(4);
      expect(coarse.variants).toBeLessThanOrEqual(4);
      expect(Math.abs(coarse.throughput_kbps / planned.throughput_kbps - 1)).toBeLessThan(0.03);
    },
    TIMEOUT_MS,
  );
});

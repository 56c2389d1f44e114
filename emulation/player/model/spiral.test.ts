import { describe, expect, it } from 'vitest';
import type { CompletedDecision } from '../../../src/decision.ts';
import type { SammyOptions } from '../../../src/options.ts';
import { constantRate, scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from './session.ts';
import { vbrFilm } from './testing/vbr-film.ts';

const FILM = vbrFilm(600);
/**
 * The pace includes packet headers, and TCP's internal pacer is slightly too slow, so the goodput is 93% of the pace.
 */
const NETWORK = { rtt_ms: 50, queue_bytes: 100_000, goodputOfPace: 0.93 };
const FAST = constantRate(40);

function play(sammy: SammyOptions, capacity = FAST, sizesKnown = true) {
  const { decisions, summary } = simulateSession({
    arm: { sammy: sizesKnown ? sammy : { ...sammy, sizes: { upcoming: () => undefined } } },
    film: FILM,
    network: { ...NETWORK, capacity },
    seconds: 600,
  });
  return { segments: decisions.filter(({ outcome }) => outcome === 'completed'), summary };
}

describe('no downward spiral (Sammy §2.3.1)', () => {
  const TOP_KBPS = 3300;
  /** The time until the estimate has settled and the first, lower rungs are over. */
  const SETTLED_S = 20;

  it.each([
    ["the paper's 3.2 and 2.8", { c0: 3.2, c1: 2.8 }, true],
    ["the paper's 3.2 and 2.8, sizes unknown", { c0: 3.2, c1: 2.8 }, false],
    ['c0 = c1 = 1.5', { c0: 1.5, c1: 1.5 }, true],
    ['c0 = c1 = 1.5, sizes unknown', { c0: 1.5, c1: 1.5 }, false],
    // With these multipliers, only the lower bound of the pace (Sammy, Eq. 1) keeps the pace high enough.
    ['c0 = c1 = 1', { c0: 1, c1: 1 }, true],
    ['c0 = c1 = 0.1', { c0: 0.1, c1: 0.1 }, true],
    ['c0 = c1 = 0.1 and β = 0.5', { c0: 0.1, c1: 0.1, beta: 0.5 }, true],
  ])('keeps the top rung for 10 minutes with %s', (_, options, sizesKnown) => {
    const { segments, summary } = play(options, FAST, sizesKnown);
    const settled = segments.filter(({ at_ms }) => at_ms > SETTLED_S * 1000);
    expect(settled.length).toBeGreaterThan(200);
    expect(settled.filter(({ bitrate_kbps }) => bitrate_kbps < TOP_KBPS)).toEqual([]);
    expect(settled.every(({ requested_kbps }) => requested_kbps !== null)).toBe(true);
    // The samples are limited by the pace, not by the network, so they must not lower the estimate.
    expect(settled.every(({ pace_limited }) => pace_limited)).toBe(true);
    expect(summary.rebuffer_count).toBe(0);
  });

  it('reduces chunk throughput to about the pace, which is 0.93 of 2.8 to 3.2 times 3300 kbit/s', () => {
    const { playing_chunk_throughput_kbps } = play({}).summary;
    // A segment of 2 s takes at most its size divided by the slowest pace, a round trip for the request, and two round
    // trips of slow start after a pause.
    const segment_kbit = 2 * TOP_KBPS;
    const slowest_s = segment_kbit / (0.93 * 2.8 * TOP_KBPS) + (3 * NETWORK.rtt_ms) / 1000;
    expect(playing_chunk_throughput_kbps).toBeGreaterThan(segment_kbit / slowest_s);
    expect(playing_chunk_throughput_kbps).toBeLessThan(0.93 * 3.2 * TOP_KBPS);
  });

  it.each([
    ["the paper's 3.2 and 2.8", { c0: 3.2, c1: 2.8 }],
    ['c0 = c1 = 1.5', { c0: 1.5, c1: 1.5 }],
  ])(
    'switches down when the network falls to 60%% of the top bitrate, and back up later, with %s',
    (_, options) => {
      const [FALLS_S, RECOVERS_S] = [100, 400];
      const capacity = scheduledRate([
        { seconds: FALLS_S, mbps: 40 },
        { seconds: RECOVERS_S - FALLS_S, mbps: (0.6 * TOP_KBPS) / 1000 },
        { seconds: 600, mbps: 40 },
      ]);
      const { segments, summary } = play(options, capacity);
      expect(summary.rebuffer_count).toBe(0);
      const between = (from: number, to: number) =>
        segments.filter(({ at_ms }) => at_ms >= from * 1000 && at_ms < to * 1000);
      const mean = (list: readonly CompletedDecision[]) =>
        list.reduce((sum, { bitrate_kbps }) => sum + bitrate_kbps, 0) / list.length;
      // A buffer of 30 s shrinks by at least 0.4 s per second, and is empty after at most 30 / 0.4 = 75 s. From then on,
      // the bitrate cannot stay above the throughput (Sammy §A.1.1).
      const low = between(FALLS_S + 75, RECOVERS_S);
      expect(mean(low)).toBeLessThan(0.65 * TOP_KBPS);
      // The player must use the network's capacity, too.
      expect(mean(low)).toBeGreaterThan(0.45 * TOP_KBPS);
      expect(mean(between(RECOVERS_S + 30, Infinity))).toBe(TOP_KBPS);
    },
  );
});

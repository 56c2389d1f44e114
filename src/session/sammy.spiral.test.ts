import { describe, expect, it } from 'vitest';
import { simulate, type SimulatedSegment } from '../testing/simulate.ts';

describe('no downward spiral (Sammy §2.3.1)', () => {
  const TOP_KBPS = 3300;
  /** Time for the estimate to form and the first rungs to pass. */
  const SETTLED_S = 20;

  it.each([
    ["the paper's 3.2 and 2.8", { c0: 3.2, c1: 2.8 }, true],
    ["the paper's 3.2 and 2.8, sizes unknown", { c0: 3.2, c1: 2.8 }, false],
    ['c0 = c1 = 1.5', { c0: 1.5, c1: 1.5 }, true],
    ['c0 = c1 = 1.5, sizes unknown', { c0: 1.5, c1: 1.5 }, false],
    // The bound of Eq. 1 alone holds these up.
    ['c0 = c1 = 1', { c0: 1, c1: 1 }, true],
    ['c0 = c1 = 0.1', { c0: 0.1, c1: 0.1 }, true],
    ['c0 = c1 = 0.1 and β = 0.5', { c0: 0.1, c1: 0.1, beta: 0.5 }, true],
  ])('keeps the top rung for 10 minutes with %s', (_, options, sizesKnown) => {
    const { segments, stalled_s } = simulate({ options, sizesKnown, content_s: 600, capacity: () => 40_000 });
    const settled = segments.filter(({ requested_s }) => requested_s > SETTLED_S);
    expect(settled.length).toBeGreaterThan(200);
    expect(settled.filter(({ bitrate_kbps }) => bitrate_kbps < TOP_KBPS)).toEqual([]);
    expect(settled.every(({ requested_kbps }) => requested_kbps !== null)).toBe(true);
    // The pace, not the network, made these samples: they say nothing against the network.
    expect(settled.every(({ pace_limited }) => pace_limited)).toBe(true);
    expect(stalled_s).toBe(0);
  });

  it('reduces chunk throughput to about the pace all the while: 2.8 to 3.2 times 3300, and 0.93 of it', () => {
    const { sammy } = simulate({ content_s: 600, capacity: () => 40_000 });
    const { playing_chunk_throughput_kbps } = sammy.summary;
    expect(playing_chunk_throughput_kbps).toBeGreaterThan(0.85 * 2.8 * TOP_KBPS);
    expect(playing_chunk_throughput_kbps).toBeLessThan(0.95 * 3.2 * TOP_KBPS);
  });

  it.each([
    ["the paper's 3.2 and 2.8", { c0: 3.2, c1: 2.8 }],
    ['c0 = c1 = 1.5', { c0: 1.5, c1: 1.5 }],
  ])(
    'steps down when the network falls to 60%% of the top bitrate, and climbs back, with %s',
    (_, options) => {
      const [FALLS_S, RECOVERS_S] = [100, 400];
      const { segments, stalled_s } = simulate({
        options,
        content_s: 600,
        capacity: (time_s) => (time_s > FALLS_S && time_s < RECOVERS_S ? 0.6 * TOP_KBPS : 40_000),
      });
      expect(stalled_s).toBe(0);
      const between = (from: number, to: number) =>
        segments.filter(({ requested_s }) => requested_s >= from && requested_s < to);
      const mean = (list: readonly SimulatedSegment[]) =>
        list.reduce((sum, { bitrate_kbps }) => sum + bitrate_kbps, 0) / list.length;
      // 30 s of buffer shrink by 0.4 s a second at least; after them no bitrate above the throughput can last (A.1.1).
      const low = between(FALLS_S + 75, RECOVERS_S);
      expect(mean(low)).toBeLessThan(0.65 * TOP_KBPS);
      // Nor is the network left idle.
      expect(mean(low)).toBeGreaterThan(0.45 * TOP_KBPS);
      expect(mean(between(RECOVERS_S + 30, Infinity))).toBe(TOP_KBPS);
    },
  );
});

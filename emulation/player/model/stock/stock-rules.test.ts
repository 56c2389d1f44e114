import { describe, expect, it } from 'vitest';
import { ladder } from '../../../../src/testing/session.ts';
import { StockBola } from './bola.ts';
import { StockRules } from './stock-rules.ts';
import { SwitchHistory } from './switch-history.ts';
import { StockThroughput } from './throughput.ts';

/** The index of the highest rung of at most `kbps`. The rungs are 300, 700, 1500, 2300 and 3300 kbit/s. */
const rungFor = (kbps: number) =>
  Math.max(
    0,
    ladder.findLastIndex(({ bitrate_kbps }) => bitrate_kbps <= kbps),
  );
const segment = (rung: number, start_s: number, at_ms: number) => ({
  rung,
  start_s,
  duration_s: 2,
  requested_ms: at_ms - 100,
  finished_ms: at_ms,
});

describe('dash.js by its own rules', () => {
  it('averages throughput by download time, returns the lower average, and corrects the bias at the start', () => {
    const throughput = new StockThroughput();
    expect(throughput.average).toBeNaN();
    // 1 MB in one second.
    throughput.add(1_000_000, 1000);
    expect(throughput.average).toBe(8000);
    throughput.add(1_000_000, 2000);
    // The downloads have weights of 1.5 and 3 s; the half-lives are 3 and 8 s. For the fast average, the second sample,
    // 4000, has the weight 0.5, and the first one, 8000, has (1 - 2^-0.5) x 0.5.
    const of = (halfLife: number) => {
      const [first, second] = [1 - 0.5 ** (1.5 / halfLife), 1 - 0.5 ** (3 / halfLife)];
      return (8000 * first * (1 - second) + 4000 * second) / (1 - 0.5 ** (4.5 / halfLife));
    };
    expect(throughput.average).toBe(Math.round(Math.min(of(3), of(8))));
    expect(throughput.safe).toBeCloseTo(0.9 * throughput.average, 9);
  });

  it('chooses the rung of the highest score in its steady state', () => {
    // BOLA's target for five rungs is 10 + 5 x 2 = 20 s, so g = ln 11 / (20 / 10 - 1) and V = 10 / g. For the bitrates b,
    // V (ln(b / 300) + g) is 10, 13.53, 16.71, 18.494 and 20 s. The scores of 300 and 700 kbit/s are equal at
    // (700 x 10 - 300 x 13.53) / 400 = 7.35 s, those of 2300 and 3300 at (3300 x 18.494 - 2300 x 20) / 1000 = 15.03 s.
    const steady = (buffer_s: number) => {
      const bola = new StockBola(ladder, 18);
      // BOLA counts segments from the first call of `choose` on, and is in its steady state from the second call on.
      bola.choose(1000, 2, 300, rungFor);
      bola.recordDownload(segment(0, 0, 1000), 2);
      bola.choose(1000, 2, 300, rungFor);
      bola.recordDownload(segment(0, 2, 1000), buffer_s);
      // The throughput does not limit the rung. The clock stands still, so that no placeholder is added to the buffer.
      bola.recordStall();
      return bola.choose(1000, buffer_s, 1e6, rungFor)?.rung;
    };
    expect([7.3, 7.4, 15, 15.1].map(steady)).toEqual([0, 1, 3, 4]);
  });

  it('does not switch up beyond the throughput', () => {
    const bola = new StockBola(ladder, 18);
    bola.recordDownload(segment(1, 0, 1000), 2);
    bola.choose(1000, 2, 700, rungFor);
    bola.recordDownload(segment(1, 2, 1100), 25);
    expect(bola.choose(1100, 25, 1600, rungFor)?.rung).toBe(2);
  });

  it('follows throughput below 12 s of buffer, and limits the rung to what arrives before the buffer is empty', () => {
    const rules = new StockRules({ ladder, bufferTarget_s: 18, bola: true, remembered_kbps: undefined });
    // Without a sample, the rules assume 1000 kbit/s.
    expect(rules.first).toBe(1);
    rules.recordDownload(segment(1, 0, 500), 500_000, 1000, 2);
    rules.recordDownload(segment(1, 2, 1500), 500_000, 1000, 4);
    // The throughput of 4000 kbit/s x 0.9 = 3600 kbit/s suffices for the top rung. But with a buffer of 1 s and segments
    // of 2 s, the limit is 4000 x 0.7 x 1 / 2 = 1400 kbit/s, which does not suffice for 1500 kbit/s.
    expect(rules.choose(1, 2000, 10, 2).rung).toBe(4);
    expect(rules.choose(1, 2000, 1, 2).rung).toBe(1);
    expect(rules.choose(1, 2000, 0.2, 2).rung).toBe(0);
  });

  it('abandons a download that takes more than 1.8 durations, and then chooses no higher rung for 10 s', () => {
    const rules = new StockRules({ ladder, bufferTarget_s: 18, bola: true, remembered_kbps: undefined });
    rules.recordDownload(segment(1, 0, 500), 500_000, 1000, 2);
    // 100 kB in one second are 800 kbit/s, so 825 kB would take 8.25 s.
    const progress = { elapsed_ms: 1000, bytes: 100_000, loaded: 100_000, total: 825_000, duration_s: 2 };
    expect(rules.abandon(4, 2000, 19, progress)).toBeUndefined();
    expect(rules.abandon(4, 2000, 5, { ...progress, elapsed_ms: 400 })).toBeUndefined();
    expect(rules.abandon(4, 2000, 5, progress)).toBe(1);
    expect(rules.choose(1, 11_900, 5, 2).rung).toBe(1);
    expect(rules.choose(1, 12_100, 5, 2).rung).toBe(4);
  });

  it('abandons no download before earliestAbandonment_ms', () => {
    const rules = new StockRules({ ladder, bufferTarget_s: 18, bola: true, remembered_kbps: undefined });
    // The limit is 825 kB in 3.595 s (1.8 durations are 3.6 s, less 0.005 s for rounding), which is 1836 kbit/s. With
    // 100 kB, or 800 kbit, the rate falls below this limit after 0.436 s, so that the minimum of 0.5 s applies.
    const progress = { elapsed_ms: 300, bytes: 100_000, loaded: 100_000, total: 825_000, duration_s: 2 };
    expect(rules.earliestAbandonment_ms(progress)).toBeCloseTo(200, 6);
    // With 400 kB, the rate falls below the limit after 3200 / 1836.4 = 1.7425 s; 0.5 kbit/s allow for rounding.
    const faster = { ...progress, bytes: 400_000, loaded: 400_000 };
    expect(300 + rules.earliestAbandonment_ms(faster)).toBeCloseTo(1742.5, 0);
    const after = (elapsed_ms: number) => rules.abandon(4, 2000, 5, { ...faster, elapsed_ms });
    expect(after(300 + rules.earliestAbandonment_ms(faster) - 1)).toBeUndefined();
    expect(after(1755)).not.toBeUndefined();
  });

  it('avoids a rung that was left for a lower one in one of eight choices', () => {
    const history = new SwitchHistory(5);
    for (let index = 0; index < 7; index++) history.add(3, 3);
    expect(history.most).toBeUndefined();
    history.add(3, 1);
    expect(history.most).toBe(2);
  });
});

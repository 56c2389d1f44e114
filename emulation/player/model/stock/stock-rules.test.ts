import { describe, expect, it } from 'vitest';
import { ladder } from '../../../../src/testing/session.ts';
import { StockBola } from './bola.ts';
import { StockRules } from './stock-rules.ts';
import { SwitchHistory } from './switch-history.ts';
import { StockThroughput } from './throughput.ts';

/** 300, 700, 1500, 2300 and 3300 kbit/s. */
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
  it('averages throughput by download time, the lower of fast and slow, and corrects for the start', () => {
    const throughput = new StockThroughput();
    expect(throughput.average).toBeNaN();
    // 1 MB in a second.
    throughput.add(1_000_000, 1000);
    expect(throughput.average).toBe(8000);
    throughput.add(1_000_000, 2000);
    // Weights of 1.5 and 3 s; half-lives 3 and 8. Fast: 0.5 of 4000, and of 8000 the (1 - 2^-0.5) x 0.5 before it.
    const of = (halfLife: number) => {
      const [first, second] = [1 - 0.5 ** (1.5 / halfLife), 1 - 0.5 ** (3 / halfLife)];
      return (8000 * first * (1 - second) + 4000 * second) / (1 - 0.5 ** (4.5 / halfLife));
    };
    expect(throughput.average).toBe(Math.round(Math.min(of(3), of(8))));
    expect(throughput.safe).toBeCloseTo(0.9 * throughput.average, 9);
  });

  it('BOLA takes the rung of the highest score in its steady state', () => {
    // Five rungs: g = ln 11 / (20 / 10 - 1) and V = 10 / g, so that V (ln(b / 300) + g) is 10, 13.53, 16.71, 18.49 and
    // 20 s. Of 300 and 700 kbit/s the scores are equal at (700 x 10 - 300 x 13.53) / 400 = 7.35 s, of 2300 and 3300 at
    // (3300 x 18.49 - 2300 x 20) / 1000 = 15.03 s.
    const steady = (buffer_s: number) => {
      const bola = new StockBola(ladder, 18);
      // It counts the segments from when it is first asked, and is steady with the second question.
      bola.choose(1000, 2, 300, rungFor);
      bola.recordDownload(segment(0, 0, 1000), 2);
      bola.choose(1000, 2, 300, rungFor);
      bola.recordDownload(segment(0, 2, 1000), buffer_s);
      // The network carries everything; the clock stands still, so that nothing is put beside the buffer.
      bola.recordStall();
      return bola.choose(1000, buffer_s, 1e6, rungFor)?.rung;
    };
    expect([7.3, 7.4, 15, 15.1].map(steady)).toEqual([0, 1, 3, 4]);
  });

  it('BOLA switches up only to what the throughput sustains', () => {
    const bola = new StockBola(ladder, 18);
    bola.recordDownload(segment(1, 0, 1000), 2);
    bola.choose(1000, 2, 700, rungFor);
    bola.recordDownload(segment(1, 2, 1100), 25);
    expect(bola.choose(1100, 25, 1600, rungFor)?.rung).toBe(2);
  });

  it('uses throughput below 12 s of buffer, and limits the rung to what arrives before the buffer is empty', () => {
    const rules = new StockRules({ ladder, bufferTarget_s: 18, bola: true, remembered_kbps: undefined });
    // Up to 1000 kbit/s at first.
    expect(rules.first).toBe(1);
    rules.recordDownload(segment(1, 0, 500), 500_000, 1000, 2);
    rules.recordDownload(segment(1, 2, 1500), 500_000, 1000, 4);
    // 4000 x 0.9 = 3600 is the top rung; 4000 x 0.7 x 1 / 2 = 1400 is not 1500 kbit/s.
    expect(rules.choose(1, 2000, 10, 2).rung).toBe(4);
    expect(rules.choose(1, 2000, 1, 2).rung).toBe(1);
    expect(rules.choose(1, 2000, 0.2, 2).rung).toBe(0);
  });

  it('abandons downloads of more than 1.8 durations, and does not switch up for 10 s', () => {
    const rules = new StockRules({ ladder, bufferTarget_s: 18, bola: true, remembered_kbps: undefined });
    rules.recordDownload(segment(1, 0, 500), 500_000, 1000, 2);
    // 100 kB in a second are 800 kbit/s: 825 kB would take 8.25 s.
    const progress = { elapsed_ms: 1000, bytes: 100_000, loaded: 100_000, total: 825_000, duration_s: 2 };
    expect(rules.abandon(4, 2000, 19, progress)).toBeUndefined();
    expect(rules.abandon(4, 2000, 5, { ...progress, elapsed_ms: 400 })).toBeUndefined();
    expect(rules.abandon(4, 2000, 5, progress)).toBe(1);
    expect(rules.choose(1, 11_900, 5, 2).rung).toBe(1);
    expect(rules.choose(1, 12_100, 5, 2).rung).toBe(4);
  });

  it('abandons nothing before the time at which it first could', () => {
    const rules = new StockRules({ ladder, bufferTarget_s: 18, bola: true, remembered_kbps: undefined });
    // 825 kB in 3.595 s, which is rounded to 3.6, are 1836 kbit/s: 100 kB, 800 kbit, are slower than that after 0.436 s,
    // so that 0.5 s count.
    const progress = { elapsed_ms: 300, bytes: 100_000, loaded: 100_000, total: 825_000, duration_s: 2 };
    expect(rules.earliestAbandonment_ms(progress)).toBeCloseTo(200, 6);
    // 400 kB are after 3200 / 1836.4 s, with half of a kbit/s for its rounding.
    const faster = { ...progress, bytes: 400_000, loaded: 400_000 };
    expect(300 + rules.earliestAbandonment_ms(faster)).toBeCloseTo(1742.5, 0);
    const after = (elapsed_ms: number) => rules.abandon(4, 2000, 5, { ...faster, elapsed_ms });
    expect(after(300 + rules.earliestAbandonment_ms(faster) - 1)).toBeUndefined();
    expect(after(1755)).not.toBeUndefined();
  });

  it('excludes a rung that was dropped once in eight choices', () => {
    const history = new SwitchHistory(5);
    for (let index = 0; index < 7; index++) history.add(3, 3);
    expect(history.most).toBeUndefined();
    history.add(3, 1);
    expect(history.most).toBe(2);
  });
});

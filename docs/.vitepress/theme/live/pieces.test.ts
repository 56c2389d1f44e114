import { describe, expect, it } from 'vitest';
import { ask, EXAMPLES } from './cmcd/ask.ts';
import { ALGORITHMS, choose, type AlgorithmName } from './chooser/ask.ts';
import { play } from './buffer/flow.ts';
import { changeWords, queueDelays, isCertain, measuredNear } from './buffer/video-buffer.ts';
import { bothWays, MULTIPLES } from './pace/segment.ts';
import { effects, effectWords } from './share/words.ts';
import type { Point } from './share/curve.ts';

describe('a segment as packets', () => {
  it.each(MULTIPLES)('is sent at %s times the top bitrate', (multiple) => {
    const [both] = bothWays({ multiple });
    if (!both) throw new Error('nothing came');
    const { unpaced, paced } = both;
    expect(paced.size_bytes).toBe(unpaced.size_bytes);
    expect(unpaced.requested_kbps).toBeNull();
    // rtp is a multiple of 100 kbit/s, rounded up.
    expect(paced.requested_kbps).toBe(Math.ceil((multiple * 3300) / 100 - 1e-9) * 100);
    const packets = Math.ceil(paced.size_bytes / 1448);
    expect(paced.packets_ms.length).toBeGreaterThanOrEqual(packets - 1);
    expect(paced.packets_ms.length).toBeLessThanOrEqual(packets + 1);
    // The pace counts whole packets, of which 1448 bytes are content, and the request takes a round trip.
    const least_ms = (paced.size_bytes * 8) / (paced.requested_kbps ?? NaN);
    expect(paced.takes_ms).toBeGreaterThan(least_ms);
    expect(paced.takes_ms).toBeLessThan(1.1 * least_ms + 30);
    expect(paced.takes_ms).toBeGreaterThan(unpaced.takes_ms);
  });
});

describe('the edge in the page', () => {
  const verdict = (index: number, limits = {}) =>
    ask({ url: EXAMPLES[index]?.url ?? '', floor_kbps: '', ceiling_kbps: '', ...limits });

  it('gives each example the answer that its name says', () => {
    expect(verdict(0)).toMatchObject({ pace: 9300, reason: 'requested' });
    expect(verdict(1)).toMatchObject({ pace: 9900, reason: 'foreign-player' });
    expect(verdict(2)).toMatchObject({ pace: null, reason: 'no-rtp' });
    expect(verdict(3)).toMatchObject({ pace: null, reason: expect.stringMatching(/^refused:/) as string });
  });

  it('reports errors in the limits', () => {
    expect(verdict(0, { ceiling_kbps: '5000' })).toMatchObject({ pace: 5000, reason: 'ceiling' });
    expect(verdict(0, { floor_kbps: 'ten' })).toEqual({
      error: "the floor is 'ten', expected kbit/s such as 2500",
    });
    expect(verdict(0, { floor_kbps: '9000', ceiling_kbps: '5000' })).toEqual({
      error: 'floor_kbps is 9000; expected at most ceiling_kbps, which is 5000',
    });
    expect(ask({ url: '%%%', floor_kbps: '', ceiling_kbps: '' })).toMatchObject({ pace: null });
  });
});

describe("a chooser's view", () => {
  it.each(Object.keys(ALGORITHMS) as AlgorithmName[])('chooses within its bounds: %s', (algorithm) => {
    for (const buffer_s of [0, 4, 12, 30])
      for (const throughput_kbps of [500, 2000, 4000, 8000]) {
        const { rung, bounds_kbps, reason } = choose({ algorithm, buffer_s, throughput_kbps });
        expect(reason).not.toBe('');
        expect(bounds_kbps).toHaveLength(5);
        if (algorithm === 'hyb' && rung.bitrate_kbps === 3300)
          expect(bounds_kbps.at(-1)).toBeLessThanOrEqual(throughput_kbps);
      }
  });
});

describe('a queue and its flows', () => {
  it('never exceeds its buffer, and uses more of the link with a larger buffer', () => {
    const [small, large] = [0.1, 1].map((buffer_bdp) => play({ buffer_bdp, flows: 1, control: 'reno' }));
    if (!small || !large) throw new Error('nothing was played');
    expect(large.utilization).toBeGreaterThan(small.utilization);
    // In the fluid theory, one Reno flow with a buffer of one BDP keeps the link always busy. For packets, this is not
    // exact.
    expect(large.utilization).toBeGreaterThan(0.97);
    expect(small.utilization).toBeCloseTo(small.theory ?? NaN, 1);
    for (const { queue, buffer_packets } of [small, large])
      expect(Math.max(...queue.map(([, packets]) => packets))).toBeLessThanOrEqual(buffer_packets);
    expect(play({ buffer_bdp: 0.1, flows: 2, control: 'cubic' }).theory).toBeNull();
  });
});

describe('a buffer for video', () => {
  const at = (gbps: number, buffer_mb: number, busyQueues = 4) => ({ gbps, buffer_mb, busyQueues });

  it('delays packets by its size and by the number of busy queues', () => {
    expect(queueDelays(at(100, 500))).toEqual({ alone_ms: 40, longest_ms: 160 });
    expect(queueDelays(at(10, 50, 1))).toEqual({ alone_ms: 40, longest_ms: 40 });
  });

  it('has the rows of the study with the same drain time, converted to MB at the rate of the port', () => {
    const { isMeasured, rows } = measuredNear(at(10, 50));
    expect(isMeasured).toBe(true);
    expect(rows.every(({ a_mb, b_mb }) => a_mb === 50 || b_mb === 50)).toBe(true);
    expect(rows.map(({ queues }) => queues)).toEqual([2, 2, 2, 2, 18, 4]);
    expect(rows.at(-1)).toMatchObject({
      a_mb: 5,
      b_mb: 50,
      change_pct: measuredNear(at(100, 500)).rows.at(-1)?.change_pct,
    });
  });

  it.each([
    [0.001, [5]],
    [100, [50, 250, 25, 500]],
    [100_000, [1000]],
  ])('states that %s MB was not measured, and shows the nearest size', (buffer_mb, nearest) => {
    const { isMeasured, rows } = measuredNear(at(100, buffer_mb));
    expect(isMeasured).toBe(false);
    expect(rows.length).toBeGreaterThan(0);
    for (const { a_mb, b_mb } of rows)
      expect(nearest.some((mb) => Math.abs(a_mb - mb) < 1e-9 || Math.abs(b_mb - mb) < 1e-9)).toBe(true);
  });

  it('tells which changes are certain', () => {
    expect(changeWords([-32.2, -42.1, -16.2])).toEqual({ change: '−32.2', range: '−42.1 to −16.2' });
    expect(changeWords(-6.8)).toEqual({ change: '−6.8', range: 'one hour' });
    expect(
      [[-32.2, -42.1, -16.2], [4.7, -14, 28.4], -6.8, null].map((each) => isCertain(each as never)),
    ).toEqual([true, false, false, false]);
  });
});

describe('the result of an A/B test', () => {
  const means = (mean_bitrate_kbps: number) => ({
    mean_bitrate_kbps,
    rtt_median_ms: 1,
    chunk_throughput_kbps: 1,
  });
  const points: Point[] = [
    { share_pct: 0, sessions: 2, control: means(2000), treatment: null },
    { share_pct: 50, sessions: 2, control: means(2500), treatment: means(2000) },
    { share_pct: 100, sessions: 2, control: null, treatment: means(2100) },
  ];

  it('is shown next to the true effect', () => {
    expect(effects(points, 50, 'mean_bitrate_kbps')).toEqual({ test_pct: -20, truth_pct: 5 });
    expect(effectWords(points, 50, 'mean_bitrate_kbps')).toBe(
      'The A/B test reports: bitrate −20%. Everybody treated, compared with nobody: bitrate +5%.',
    );
    expect(effectWords(points, 0, 'mean_bitrate_kbps')).toContain('no other group to compare with');
    expect(effectWords(points.slice(0, 1), 50, 'mean_bitrate_kbps')).toBe('Computing …');
  });
});

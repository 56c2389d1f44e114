import { describe, expect, it } from 'vitest';
import type { PacePolicy } from '../../src/pace/pace.ts';
import { kbps } from '../../src/units.ts';
import { constantRate, scheduledRate } from './rates.ts';
import { simulateSession, type SimulatedSession } from './session.ts';

/** 12 Mbit/s are 1500 bytes/ms, of which 1448 are content. A request takes 20 ms to its first byte. */
const sessionOf = (segment_bytes: number[], session: Partial<SimulatedSession> = {}) =>
  simulateSession({
    options: { pacing: false },
    film: {
      version: 1,
      segment_duration_s: segment_bytes.map(() => 2),
      representations: { only: { segment_bytes } },
    },
    bitrates_kbps: { only: 1000 },
    link: constantRate(12),
    rtt_ms: 20,
    seconds: 10,
    ...session,
  });

describe('simulateSession', () => {
  it('takes a round trip and the size over the rate', () => {
    const { decisions, summary } = sessionOf([144_800, 72_400]);
    expect(decisions.map(({ download_ms }) => download_ms)).toEqual([120, 70]);
    // 50 ms to the first request, 10 ms from the first arrival to the second one.
    expect(decisions.map(({ at_ms }) => at_ms)).toEqual([50, 180]);
    // 50 ms from the first arrival to the first frame.
    expect(summary.play_delay_ms).toBe(220);
    expect(summary.chunk_throughput_kbps).toBeCloseTo(((144_800 + 72_400) * 8) / 190, 6);
  });

  it('sends no faster than the pace', () => {
    const pace: PacePolicy = { name: 'slow', choosePace: () => ({ pace: kbps(1000), reason: 'slow' }) };
    // 125 bytes/ms.
    const { decisions } = sessionOf([12_500], { options: { pace } });
    expect(decisions[0]).toMatchObject({ download_ms: 120, requested_kbps: 1000, applied_kbps: 1000 });
  });

  it('stalls where a segment comes late', () => {
    // The first arrives at 170 ms; the second, from 200 ms on at 14.48 bytes/ms, at 3200 ms.
    const link = scheduledRate([
      { seconds: 0.17, mbps: 12 },
      { seconds: 30, mbps: 0.12 },
    ]);
    const { summary } = sessionOf([144_800, 43_440], { link, seconds: 4 });
    // Played from 220 to 2220 ms, and again from 3250 ms on.
    expect(summary.rebuffer_count).toBe(1);
    expect(summary.rebuffer_ratio).toBeCloseTo(1030 / (1030 + 2000 + 750), 3);
  });

  it('replaces nothing on a switch up where the network carries less than twice the bitrate', () => {
    const film = {
      version: 1 as const,
      segment_duration_s: Array<number>(20).fill(2),
      representations: {
        low: { segment_bytes: Array<number>(20).fill(125_000) },
        high: { segment_bytes: Array<number>(20).fill(300_000) },
      },
    };
    // The first low segment takes a second, the second a third of one, and 3.7 s are buffered.
    const link = scheduledRate([
      { seconds: 1.3, mbps: 1 },
      { seconds: 30, mbps: 12 },
    ]);
    const { decisions } = sessionOf([], { film, link, bitrates_kbps: { low: 500, high: 1200 } });
    expect(decisions.slice(0, 3).map(({ representation }) => representation)).toEqual(['low', 'low', 'high']);
    const starts = decisions.map(({ segment_start_s }) => segment_start_s);
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('waits where the buffer is full', () => {
    const { decisions } = sessionOf(Array<number>(60).fill(14_480), { seconds: 20 });
    // 15 segments come at once; a next one where it fits into 30 s, or half a second later.
    const late = decisions.filter(({ at_ms }) => at_ms > 1000);
    expect(late.length).toBeGreaterThanOrEqual(8);
    for (const { buffer_s } of late) {
      expect(buffer_s).toBeLessThan(28);
      expect(buffer_s).toBeGreaterThan(27.4);
    }
  });

  it('tells the least buffer from 20 s on', () => {
    // All of the film, 30 s, is there by then.
    const { leastBuffer_s } = sessionOf(Array<number>(15).fill(14_480), { seconds: 25 });
    expect(leastBuffer_s).toBeCloseTo(30 - (25 - 0.13), 1);
  });
});

import { describe, expect, it } from 'vitest';
import { changeText } from './change.ts';
import { isComparable, neighborVerdict, trafficVerdict } from './verdict.ts';

const quality = (throughput_kbps: number | null, bitrate_kbps = 3300, rebuffer_count = 0) => ({
  playing_chunk_throughput_kbps: throughput_kbps,
  mean_bitrate_kbps: bitrate_kbps,
  rebuffer_count,
});
const network = (response_ms: number | null, queue_p95_ms: number | null) => ({
  response_ms,
  queue_p95_ms,
  responses: 3,
  dropped_pct: 0,
});

describe('trafficVerdict', () => {
  it('is null before both arms have been measured', () => {
    expect(trafficVerdict({ stock: null, sammy: null }, 3)).toBeNull();
    expect(trafficVerdict({ stock: quality(40_000), sammy: quality(null) }, 3)).toBeNull();
  });

  it('is null before three segments were paced, because the first ones are not', () => {
    expect([0, 2, 3].map(isComparable)).toEqual([false, false, true]);
    expect(trafficVerdict({ stock: quality(17_500), sammy: quality(22_200) }, 2)).toBeNull();
  });

  it('states how much less the network is loaded', () => {
    expect(trafficVerdict({ stock: quality(400_000), sammy: quality(10_000, 3250) }, 3)).toEqual({
      headline: 'Sammy lowers the download rate of segments by 98%, with no loss of video quality.',
      detail:
        'Each video segment arrives at 10.0 Mbit/s with Sammy, at 400 Mbit/s without. The difference is free for everybody else on the network.',
    });
  });

  it('mentions lower quality or more stalls', () => {
    const stock = quality(40_000);
    expect(trafficVerdict({ stock, sammy: quality(10_000, 2000) }, 3)?.headline).toBe(
      'Sammy lowers the download rate of segments by 75%, at a lower video bitrate (2.0 Mbit/s instead of 3.3 Mbit/s).',
    );
    expect(trafficVerdict({ stock, sammy: quality(10_000, 3300, 1) }, 3)?.headline).toMatch('more stalls');
  });

  it('claims no improvement if nothing improved', () => {
    expect(trafficVerdict({ stock: quality(10_000), sammy: quality(9900) }, 3)?.headline).toBe(
      "No difference: this machine is too busy, or not faster than Sammy's pace.",
    );
  });
});

describe('neighborVerdict', () => {
  const qualities = { stock: quality(20_000), sammy: quality(10_000) };
  it('states how much less the neighbor waits', () => {
    expect(neighborVerdict({ stock: network(1200, 18.75), sammy: network(900, 0.5) }, qualities)).toEqual({
      headline: 'With Sammy, the neighbor waits 25% less, with no loss of video quality.',
      detail:
        'Its downloads take 0.90 s with Sammy, 1.20 s without. In the queue, 95% of packets wait at most 0.5 ms with Sammy, 18.8 ms without.',
    });
  });

  it('states how much longer the neighbor waits, and how the viewer benefits', () => {
    const networks = { stock: network(6600, 78), sammy: network(8360, 78) };
    expect(neighborVerdict(networks, qualities)?.headline).toBe('With Sammy, the neighbor waits 27% longer.');
    const gained = { stock: quality(2000, 700), sammy: quality(2000, 1900) };
    expect(neighborVerdict(networks, gained)?.headline).toBe(
      'With Sammy, the neighbor waits 27% longer, and the viewer has a higher video bitrate (1.9 Mbit/s instead of 0.7 Mbit/s).',
    );
    const stalled = { ...gained, sammy: quality(2000, 1900, 5) };
    expect(neighborVerdict(networks, stalled)?.headline).toBe(
      'With Sammy, the neighbor waits 27% longer, with more stalls.',
    );
    const lost = { stock: quality(2000, 1900), sammy: quality(2000, 700) };
    expect(neighborVerdict(networks, lost)?.headline).toMatch('27% longer, at a lower video bitrate');
  });

  it('claims nothing without measurements, or without a difference', () => {
    expect(neighborVerdict({ stock: network(1200, 1), sammy: network(null, null) }, qualities)).toBeNull();
    expect(
      neighborVerdict({ stock: network(900, null), sammy: network(900, null) }, qualities)?.headline,
    ).toBe('No difference for the neighbor so far.');
  });
});

describe('changeText', () => {
  it('has a sign and whole percentages', () => {
    expect([changeText(4, 3), changeText(3, 4), changeText(3, 3)]).toEqual(['-25%', '+33%', '0%']);
  });
  it('is null without two values', () => {
    expect([changeText(null, 3), changeText(3, undefined), changeText(0, 3)]).toEqual([null, null, null]);
  });
});

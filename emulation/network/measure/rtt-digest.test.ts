import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AckEvent } from './ack-event.ts';
import { summarizeRtt } from './rtt-digest.ts';

const event = (t_ms: number, srtt_ms: number, flow = 'a'): AckEvent => ({
  server_port: 8080,
  snd_nxt: 0,
  snd_una: 0,
  t_ms,
  flow,
  srtt_ms,
  cwnd_packets: 10,
  ssthresh_packets: Infinity,
});

/** The shares of samples below `value`, and at or below it. The quantile of the value lies between the two. */
const ranks = (samples: readonly number[], value: number): [number, number] => [
  samples.filter((sample) => sample < value).length / samples.length,
  samples.filter((sample) => sample <= value).length / samples.length,
];

describe('summarizeRtt', () => {
  it('is the middle one of three RTTs', () => {
    const events = [event(0, 7), event(1, 5), event(2, 6)];
    expect(summarizeRtt(events, 0, 10).rtt_median_ms).toBe(6);
  });

  it('returns nothing without packets', () => {
    const nothing = { rtt_median_ms: null, rtt_p95_ms: null };
    expect(summarizeRtt([], 0, 10)).toEqual(nothing);
    expect(summarizeRtt([event(5, 0)], 0, 10)).toEqual(nothing);
    expect(summarizeRtt([event(10, 4), event(-1, 4)], 0, 10)).toEqual(nothing);
  });

  it('counts packets, not flows', () => {
    const events = [
      ...Array.from({ length: 900 }, (_, index) => event(index, 5, 'busy')),
      ...Array.from({ length: 100 }, (_, index) => event(index, 50, 'idle')),
    ];
    const { rtt_median_ms, rtt_p95_ms } = summarizeRtt(events, 0, 1000);
    expect(rtt_median_ms).toBeCloseTo(5, 6);
    expect(rtt_p95_ms).toBeCloseTo(50, 6);
  });

  it('is within 2% of the exact rank, over several flows', () => {
    const rtt = fc.double({ min: 1, max: 3000, noNaN: true });
    const sample = fc.record({ rtt, flow: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(sample, { minLength: 100, maxLength: 3000, size: 'max' }), (samples) => {
        const events = samples.map((each, index) => event(index, each.rtt, each.flow));
        const { rtt_median_ms, rtt_p95_ms } = summarizeRtt(events, 0, Infinity);
        const all = samples.map((each) => each.rtt);
        // A centroid around the median holds at most 4 x 0.01 x 0.25 = 1% of the samples. After merging digests, it may
        // hold twice as many.
        for (const [value, quantile] of [
          [rtt_median_ms ?? NaN, 0.5],
          [rtt_p95_ms ?? NaN, 0.95],
        ] as const) {
          const [below, atOrBelow] = ranks(all, value);
          expect(below).toBeLessThanOrEqual(quantile + 0.02);
          expect(atOrBelow).toBeGreaterThanOrEqual(quantile - 0.02);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is the same for the same events', () => {
    const events = Array.from({ length: 20_000 }, (_, index) =>
      event(index, 5 + ((index * 7919) % 10_007) / 1000),
    );
    expect(summarizeRtt(events, 0, Infinity)).toEqual(summarizeRtt(events, 0, Infinity));
  });
});

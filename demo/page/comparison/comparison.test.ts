import { describe, expect, it } from 'vitest';
import { Comparison } from './comparison.ts';

const response = (from_ms: number, to_ms: number) => ({ from_ms, to_ms });
const queue = (at_ms: number, waits: [number, number][], dropped = 0) => ({
  at_ms,
  dropped,
  waits,
  depth_packets: 0,
  wait_ms: 0,
});

describe('Comparison', () => {
  it('returns the median of the responses of each arm', () => {
    const comparison = new Comparison();
    comparison.enter('stock', 0);
    expect(comparison.addResponse(response(2000, 4000))).toBe('stock');
    expect(comparison.addResponse(response(4000, 5000))).toBe('stock');
    comparison.enter('sammy', 10_000);
    for (const took of [900, 700, 800]) comparison.addResponse(response(12_000, 12_000 + took));
    expect(comparison.figures('stock')).toMatchObject({ response_ms: 1500, responses: 2 });
    expect(comparison.figures('sammy')).toMatchObject({ response_ms: 800, responses: 3 });
  });

  it('ignores responses during a change of arms and in the two seconds after it', () => {
    const comparison = new Comparison();
    comparison.enter('stock', 0);
    comparison.enter('sammy', 10_000);
    expect(comparison.addResponse(response(1999, 3000))).toBeNull();
    expect(comparison.addResponse(response(9000, 10_000))).toBeNull();
    expect(comparison.addResponse(response(11_999, 13_000))).toBeNull();
    expect(comparison.addResponse(response(12_000, 13_000))).toBe('sammy');
    expect(comparison.figures('stock').response_ms).toBeNull();
  });

  it('ignores responses while no arm downloads', () => {
    const comparison = new Comparison();
    comparison.enter('sammy', 0);
    comparison.enter(null, 5000);
    expect(comparison.addResponse(response(8000, 9000))).toBeNull();
    comparison.addQueue(queue(8000, [[4, 10]]));
    expect(comparison.figures('sammy')).toEqual({
      response_ms: null,
      responses: 0,
      queue_p95_ms: null,
      dropped_pct: null,
    });
  });

  it('computes the percentile over all packets, and the share of drops', () => {
    const comparison = new Comparison();
    comparison.enter('sammy', 0);
    // 95 of 100 packets waited for at most 8 steps of a quarter of a millisecond.
    comparison.addQueue(queue(3000, [[2, 60]]));
    comparison.addQueue(
      queue(
        3100,
        [
          [8, 35],
          [40, 5],
        ],
        25,
      ),
    );
    expect(comparison.figures('sammy')).toMatchObject({ queue_p95_ms: 2, dropped_pct: 20 });
    comparison.clear();
    expect(comparison.figures('sammy').queue_p95_ms).toBeNull();
  });
});

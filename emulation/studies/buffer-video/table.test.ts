import { expect, it } from 'vitest';
import type { SessionResult } from './session-result.ts';
import type { HourResult } from './run-files.ts';
import { bufferMs, listStacks, TABLE_5_1 } from './sites.ts';
import { computeChange, congestedPairs, measuredRows, type Played } from './table.ts';
import { leastSquaresSlope } from '../../ground/statistics/bootstrap.ts';

const session = (fields: Partial<SessionResult> = {}): SessionResult => ({
  ...{ server: 'offload', queue: 0, rtt_ms: 20, play_delay_ms: 500, rebuffer_count: 0, played_s: 30 },
  ...{ mean_bitrate_kbps: 2000, fetched_s: 40, low_s: 10, min_rtt_ms: 30 },
  ...{ sent_packets: 1000, retransmitted_packets: 10, receive_limited_packets: 0, ...fields },
});

const stack = (
  name: 'A' | 'B',
  buffer_mb: number,
  sessions: readonly SessionResult[],
  utilization = 1,
): Played => ({
  ...{ name, buffer_mb, sessions, utilization, queues: [] },
});

const hour = (number: number, ...stacks: Played[]): HourResult => ({
  ...{ site: 'site-3', arm: 'dashjs', hour: number, load: 1, stacks },
});

it('converts a buffer to the time that 100 Gbit/s need to drain it', () => {
  expect([500, 50, 5].map(bufferMs)).toEqual([40, 4, 0.4]);
});

it('lists each stack of a site once, and an A/A comparison', () => {
  expect(TABLE_5_1).toHaveLength(8);
  const named = listStacks('site-1').map(({ name, buffer_mb }) => `${name}${buffer_mb}`);
  expect(named).toEqual(['A50', 'A250', 'A750', 'A1000', 'A500', 'B500']);
});

it('compares the means of sessions, and rebuffers of sessions that began to play', () => {
  const gone = session({ play_delay_ms: null, min_rtt_ms: 50 });
  const a = stack('A', 50, [session({ rebuffer_count: 2, retransmitted_packets: 40 }), session(), gone]);
  const b = stack('B', 500, [
    session({ play_delay_ms: 1000, min_rtt_ms: 60 }),
    ...[session({ rebuffer_count: 1 }), session(), session()],
  ]);
  const pairs = [1, 2, 3].map(() => [a, b] as const);
  // Rebuffers: 1 of 2 sessions instead of 1 of 4. Retransmissions: 60 of 3000 packets instead of 40 of 4000. Each share
  // doubles.
  expect(computeChange('rebuffers', pairs)).toMatchObject({ a: 0.5, b: 0.25, change_pct: 100 });
  expect(computeChange('retransmits', pairs).change_pct).toBeCloseTo(100, 9);
  expect(computeChange('play_delay', pairs).change_pct).toBeCloseTo(-20, 9);
  // The minimum RTTs are 30, 30 and 50 ms, with the mean 110/3, instead of 60, 30, 30 and 30 ms, with the mean 150/4.
  expect(computeChange('min_rtt', pairs).change_pct).toBeCloseTo(100 * (110 / 3 / 37.5 - 1), 9);
  // All hours are equal, so the interval has no width.
  const [low, high] = computeChange('play_delay', pairs).interval_pct ?? [];
  expect(low).toBeCloseTo(-20, 9);
  expect(high).toBeCloseTo(-20, 9);
  expect(computeChange('play_delay', pairs.slice(1)).interval_pct).toBeNull();
});

it('counts hours in which both stacks were at least 98% utilized', () => {
  const [a, b] = [stack('A', 50, [session()]), stack('B', 500, [session()])];
  const hours = [
    hour(1, a, b),
    hour(2, a, { ...b, utilization: 0.979 }),
    hour(3, { ...a, utilization: 0.5 }, b),
  ];
  expect(congestedPairs(hours, 50, 500)).toHaveLength(1);
  const [row, ...others] = measuredRows(hours, 'dashjs');
  expect(others).toEqual([]);
  expect(row).toMatchObject({ site: 'site-3', a_mb: 50, b_mb: 500, hours: 1, sessions: [1, 1] });
  expect(measuredRows(hours, 'sammy-paper')).toEqual([]);
});

it('fits a straight line', () => {
  expect(
    leastSquaresSlope([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toBeCloseTo(2, 9);
});

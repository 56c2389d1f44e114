import { expect, it } from 'vitest';
import { makeLadder } from '../film/ladder.ts';
import { createAbrState } from '../testing/abr-state.ts';
import { kbps, seconds } from '../units.ts';
import { beforeTimeout } from './before-timeout.ts';
import type { PaceDecision } from './pace.ts';

const ladder = makeLadder([{ id: 'top', bandwidth: 3_600_000 }]);
if (!ladder) throw new Error('no ladder');
const [rung] = ladder;
const state = createAbrState({ ladder });

/**
 * The decision for a segment of 10 s at 3,600 kbit/s. With a timeout of 20 s, 36,000 kbit in 0.4 x 20 s at a goodput of
 * 90% need 5,000 kbit/s.
 */
const raised = (decision: PaceDecision, timeout?: number) =>
  beforeTimeout(
    decision,
    { state, rung, duration: seconds(10) },
    timeout === undefined ? undefined : seconds(timeout),
  );
const of = (pace: number): PaceDecision => ({ pace: kbps(pace), reason: 'algorithm-1', multiplier: 2.8 });

it('raises a pace with which the segment would take more than 0.4 of the timeout', () => {
  const { pace, ...others } = raised(of(4000), 20);
  expect(pace).toBeCloseTo(5000, 6);
  expect(others).toEqual({ reason: 'raised-before-timeout', multiplier: 2.8 });
});

it.each([
  ['is in time', of(5001), 20],
  ['has no timeout', of(100), undefined],
  ['has no pace', { pace: null, reason: 'urgent' } as const, 20],
])('keeps a decision that %s', (_, decision, timeout) => {
  expect(raised(decision, timeout)).toBe(decision);
});

it('does not change the pace of a request without a duration', () => {
  const decision = of(100);
  expect(beforeTimeout(decision, { state, rung }, seconds(20))).toBe(decision);
});

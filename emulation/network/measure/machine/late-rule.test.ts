import { expect, it } from 'vitest';
import { findLateReason } from './late-rule.ts';

it('refuses a switch that was more than a millisecond late at the 99th percentile', () => {
  expect(findLateReason(1)).toBeUndefined();
  expect(findLateReason(1.01)).toBe(
    'the switch let packets go 1.01 ms late at the 99th percentile, more than 1',
  );
});

it('excludes no run without a measurement', () => {
  expect(findLateReason(null)).toBeUndefined();
});

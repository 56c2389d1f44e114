import { expect, it } from 'vitest';
import { findLateReason } from './late-rule.ts';

it('refuses a lateness above one millisecond at the 99th percentile', () => {
  expect(findLateReason(1)).toBeUndefined();
  expect(findLateReason(1.01)).toBe(
    'the switch sent packets 1.01 ms late at the 99th percentile, more than 1',
  );
});

it('excludes nothing if the lateness is unknown', () => {
  expect(findLateReason(null)).toBeUndefined();
});

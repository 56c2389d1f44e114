import { expect, it } from 'vitest';
import { fuzz } from './main.ts';

it('survives the saved and 1,000 generated hostile clients without a crash, a hang, a forbidden request or a slow neighbor', async () => {
  const { failures, outcomes } = await fuzz({ runs: 1000, seed: 20_260_410 });
  expect(failures).toEqual([]);
  // The inputs must lead to paces, refusals and answers of several kinds.
  for (const outcome of [
    'requested',
    'foreign-player',
    'refused:not-a-number',
    'refused:disagreeing',
    '200',
    '400',
    '404',
  ]) {
    expect(outcomes.counts[outcome], outcome).toBeGreaterThan(0);
  }
  // An input that the server rejects earlier, such as malformed headers, does not test the policy.
  expect(outcomes.reachedPolicy).toBeGreaterThanOrEqual(0.5);
}, 60_000);

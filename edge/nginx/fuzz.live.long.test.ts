import { expect, it } from 'vitest';
import { fuzzNginx } from './fuzz.ts';
import { missingNginxReason } from './module.ts';

const missing = await missingNginxReason();

it('survives hostile clients, the saved ones and 1,000 generated, with AddressSanitizer, and gives the policy’s verdicts', async (context) => {
  if (missing !== null) return context.skip(missing);
  const { failures, outcomes } = await fuzzNginx({
    runs: 1000,
    seed: 20_261_122,
  });
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
  expect(outcomes.reachedPolicy).toBeGreaterThanOrEqual(0.5);
}, 120_000);

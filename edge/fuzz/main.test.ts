import { expect, it } from 'vitest';
import { fuzz } from './main.ts';

it('hostile clients, the saved and 1,000 generated: no crash, no hang, no trespass, no slow neighbour', async () => {
  const { failures, outcomes } = await fuzz({ runs: 1000, seed: 20_260_410 });
  expect(failures).toEqual([]);
  // They get somewhere: paces, refusals and answers of several kinds.
  for (const outcome of ['requested', 'refused:malformed', 'refused:repeated', '200', '400', '404']) {
    expect(outcomes.counts[outcome], outcome).toBeGreaterThan(0);
  }
  // What a server refuses before, such as a malformed head, tells nothing of the policy.
  expect(outcomes.reachedPolicy).toBeGreaterThanOrEqual(0.5);
}, 60_000);

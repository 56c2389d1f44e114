import { expect, it } from 'vitest';
import { fuzzVcl } from './fuzz.ts';
import { missingVarnishReason } from './varnish.ts';

it('hostile CMCD, 1,000 generated, up to the longest line that Varnish takes: the media come, and never a 5xx', async (context) => {
  const missing = missingVarnishReason();
  if (missing !== null) return context.skip(missing);
  const { failures, outcomes } = await fuzzVcl({ runs: 1000, seed: 20_261_123 });
  expect(failures).toEqual([]);
  // Most requests must get past Varnish's own checks, and some be paced.
  expect(outcomes.counts['200']).toBeGreaterThan(900);
  expect(outcomes.counts['foreign-player']).toBeGreaterThan(100);
}, 60_000);

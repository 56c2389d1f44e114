import { expect, it } from 'vitest';
import { fuzzVcl } from './fuzz.ts';
import { missingVarnishReason } from './varnish.ts';

it('serves the media, never a 5xx, for 1,000 generated values of hostile CMCD, up to the longest line that Varnish accepts', async (context) => {
  const missing = missingVarnishReason();
  if (missing !== null) return context.skip(missing);
  const { failures, outcomes } = await fuzzVcl({ runs: 1000, seed: 20_261_123 });
  expect(failures).toEqual([]);
  // Most requests must get past Varnish's own checks, and some be paced.
  expect(outcomes.counts['200']).toBeGreaterThan(900);
  expect(outcomes.counts['foreign-player']).toBeGreaterThan(100);
}, 60_000);

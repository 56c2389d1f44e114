import { expect, it } from 'vitest';
import { checkLink } from './check-link.ts';
import { PAPER_LINK } from './link.ts';

const constant = (mbps: number) => ({ kind: 'constant', mbps }) as const;

it('accepts links that can be calibrated', async () => {
  await checkLink(PAPER_LINK);
  // One bandwidth-delay product at 40 Mbit/s and 40 ms is 200 kB.
  await checkLink({ ...PAPER_LINK, rtt_ms: 40, queue_bytes: 200_000 });
});

it.each([
  [{ rate: constant(0) }, /cannot have 0 Mbit/],
  [{ rate: { kind: 'poisson', mbps: 0 } as const }, /cannot have 0 Mbit/],
  [{ rate: constant(0.2) }, /0\.2 Mbit\/s is too slow .* from 0\.3/],
  [{ rtt_ms: 40 }, /100000 bytes is less than the 200000 bytes .* --queue 200000 or more/],
])('refuses %o', async (fields, message) => {
  await expect(checkLink({ ...PAPER_LINK, ...fields })).rejects.toThrow(message);
});

import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('passes a burst, then its rate, and accumulates at most a burst', () => {
  // The rate is 1 byte per unit of time, and the burst 3000 bytes. Two packets of 1500 bytes pass immediately; the
  // third must wait for 1500 units.
  const bucket = new TokenBucket(1, 3000);
  const taken = [0, 0, 0, 1499, 1500, 1501, 100_000, 100_000, 100_000].map((now) => bucket.take(now, 1500));
  expect(taken).toEqual([true, true, false, false, true, false, true, true, false]);
});

test('takes no tokens for a rejected packet', () => {
  const bucket = new TokenBucket(1, 1000);
  expect([bucket.take(0, 1001), bucket.take(0, 1000)]).toEqual([false, true]);
});

import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('lets a burst pass, then its rate, and saves up no more than the burst', () => {
  // 1 byte per time, 3000 bytes: two of 1500 pass at once, the third has to wait for 1500.
  const bucket = new TokenBucket(1, 3000);
  const taken = [0, 0, 0, 1499, 1500, 1501, 100_000, 100_000, 100_000].map((now) => bucket.take(now, 1500));
  expect(taken).toEqual([true, true, false, false, true, false, true, true, false]);
});

test('what is refused takes no tokens', () => {
  const bucket = new TokenBucket(1, 1000);
  expect([bucket.take(0, 1001), bucket.take(0, 1000)]).toEqual([false, true]);
});

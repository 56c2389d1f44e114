import { expect, it } from 'vitest';
import { ConcurrencyLimit } from './few-at-once.ts';

it('runs at most the given number of tasks at once, in order, even after failures', async () => {
  const tasks = new ConcurrencyLimit(2);
  let [running, most] = [0, 0];
  const began: number[] = [];
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((n) =>
      tasks.run(async () => {
        began.push(n);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (n === 1) throw new Error('failed');
        return n;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(began).toEqual([0, 1, 2, 3, 4]);
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
});

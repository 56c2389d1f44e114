import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MOST_STEPS, Sleepers, STEP_MS } from './sleepers.ts';

beforeEach(() =>
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'],
  }),
);
afterEach(() => vi.useRealTimers());

/** Lets Node do other work between two groups. */
const otherWork = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it('wakes each sleeper after its steps, and has no timer without sleepers', async () => {
  const sleepers = new Sleepers();
  const woken: string[] = [];
  for (const [name, steps] of [['second', 2] as const, ['first', 1] as const, ['last', MOST_STEPS] as const])
    sleepers.add({ wake: () => woken.push(name) }, steps);
  await vi.advanceTimersByTimeAsync(STEP_MS);
  expect(woken).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(STEP_MS);
  expect(woken).toEqual(['first', 'second']);
  await vi.advanceTimersByTimeAsync(STEP_MS * (MOST_STEPS - 3));
  expect(woken).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(STEP_MS);
  expect(woken).toEqual(['first', 'second', 'last']);
  expect(vi.getTimerCount()).toBe(0);
});

it('wakes all due sleepers, including those that sleep again, even if there are many', async () => {
  const sleepers = new Sleepers();
  let woken = 0;
  const again = {
    wake() {
      woken += 1;
      if (woken <= 100) sleepers.add(again, 1);
    },
  };
  for (let n = 0; n < 100; n++) sleepers.add(again, 3);
  await vi.advanceTimersByTimeAsync(STEP_MS * 3);
  await otherWork();
  expect(woken).toBe(100);
  await vi.advanceTimersByTimeAsync(STEP_MS);
  await otherWork();
  expect(woken).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});

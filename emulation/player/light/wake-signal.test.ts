import { expect, it } from 'vitest';
import { WakeSignal } from './wake-signal.ts';

it('ends one wait early, even if it was triggered before the wait', async () => {
  const bell = new WakeSignal();
  setTimeout(() => bell.wake(), 10);
  await bell.wait(60_000);
  bell.wake();
  await bell.wait(60_000);
  const since = performance.now();
  await bell.wait(50);
  expect(performance.now() - since).toBeGreaterThan(40);
});

it('throws a reported error in each wait', async () => {
  const bell = new WakeSignal();
  bell.fail(new Error('gone'));
  await expect(bell.wait(60_000)).rejects.toThrow('gone');
  await expect(bell.wait(0)).rejects.toThrow('gone');
});

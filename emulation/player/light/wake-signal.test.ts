import { expect, it } from 'vitest';
import { WakeSignal } from './wake-signal.ts';

it('ends a wait early, even after an earlier signal, but only once', async () => {
  const bell = new WakeSignal();
  setTimeout(() => bell.wake(), 10);
  await bell.wait(60_000);
  bell.wake();
  await bell.wait(60_000);
  const since = performance.now();
  await bell.wait(50);
  expect(performance.now() - since).toBeGreaterThan(40);
});

it('throws the error from then on', async () => {
  const bell = new WakeSignal();
  bell.fail(new Error('gone'));
  await expect(bell.wait(60_000)).rejects.toThrow('gone');
  await expect(bell.wait(0)).rejects.toThrow('gone');
});

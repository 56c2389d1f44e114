import { expect, it, vi } from 'vitest';
import { watchDownload } from './watch-download.ts';

it('counts at most half a second of the time between two checks as silence', () => {
  const now = vi.spyOn(performance, 'now');
  let check = (): void => undefined;
  vi.spyOn(globalThis, 'setInterval').mockImplementation((call) => {
    check = call;
    return 0 as never;
  });
  const silences: number[] = [];
  now.mockReturnValue(0);
  watchDownload(
    () => 0,
    (silent_ms) => silences.push(silent_ms),
  );
  // A page whose timers fire once a second, and a laptop that sleeps for an hour.
  for (const time_ms of [250, 500, 1500, 2500, 3_600_000, 3_600_250]) {
    now.mockReturnValue(time_ms);
    check();
  }
  expect(silences).toEqual([250, 500, 1000, 1500, 2000, 2250]);
});

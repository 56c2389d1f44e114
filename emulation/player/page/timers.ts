import type { Host } from './host.ts';

/** From this nesting level on, timers wait at least `LEAST_NESTED_MS` (HTML §8.6). */
const NESTED = 5;
const LEAST_NESTED_MS = 4;
/** The duration of a frame on a screen of 60 Hz. */
const FRAME_MS = 1000 / 60;

/** `setTimeout` and related functions, with the page's clock. */
export function makeTimers({ clock, report, builtins: own }: Host) {
  const pending = new Map<number, () => void>();
  let [last, nesting] = [0, 0];

  const start = (action: () => void, wait_ms: unknown, repeats: boolean): number => {
    const id = ++last;
    const level = nesting + 1;
    const begin = (level: number) => {
      const least_ms = level > NESTED ? LEAST_NESTED_MS : 0;
      const cancel = clock.at(clock.now_ms + Math.max(least_ms, Number(wait_ms) || 0), () => {
        pending.delete(id);
        if (repeats) begin(level + 1);
        nesting = level;
        try {
          action();
        } catch (error) {
          report(error);
        } finally {
          nesting = 0;
        }
      });
      pending.set(id, cancel);
    };
    begin(level);
    return id;
  };
  const stop = (id: number): void => {
    pending.get(id)?.();
    pending.delete(id);
  };
  type Action = (...values: unknown[]) => void;
  return {
    setTimeout: (action: Action, wait_ms = 0, ...values: unknown[]) =>
      start(() => action(...values), wait_ms, false),
    setInterval: (action: Action, wait_ms = 0, ...values: unknown[]) =>
      start(() => action(...values), wait_ms, true),
    clearTimeout: stop,
    clearInterval: stop,
    requestAnimationFrame: (action: Action) => {
      const at_ms = (Math.floor(clock.now_ms / FRAME_MS) + 1) * FRAME_MS;
      return start(() => action(clock.now_ms), at_ms - clock.now_ms, false);
    },
    cancelAnimationFrame: stop,
    queueMicrotask: (action: Action) => void own.Promise.resolve().then(action),
  };
}

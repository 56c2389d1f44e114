/** The interval at which it is looked whether the parent process is still there. */
const LOOK_EVERY_MS = 500;

/**
 * Calls `end` when npm, which started this process, is gone: npx passes a signal to its shell only, which ends without passing
 * it on. A process that something else has started may well outlive its parent.
 */
export function onNpmGone(end: () => void): void {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    end();
  }, LOOK_EVERY_MS).unref();
}

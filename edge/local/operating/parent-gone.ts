import { readFileSync } from 'node:fs';

/** The interval at which it is looked whether the parent process is still there. */
const LOOK_EVERY_MS = 500;

/** The process to which the kernel gives those whose parent has ended. */
const INIT = 1;

/** The parent when this process began, which may be gone before the edge serves. */
const parent = process.ppid;

/**
 * Calls `end` when npm, which started this process, is gone: npx passes a signal to its shell only, which ends without passing
 * it on. A process that something else has started may well outlive its parent.
 */
export function onNpmGone(end: () => void): void {
  if (process.env.npm_command === undefined) return;
  const looking = setInterval(() => {
    if (process.ppid === parent && !(parent === INIT && !isNpm(INIT))) return;
    clearInterval(looking);
    end();
  }, LOOK_EVERY_MS).unref();
}

/** Whether a process is npm's, which in a container may be the first. Where that cannot be known, it is taken for one. */
function isNpm(pid: number): boolean {
  try {
    return /\bnp[mx]\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}

import { readFileSync } from 'node:fs';

/** The interval at which it is looked whether npm is still there. */
const LOOK_EVERY_MS = 500;

/** The process to which the kernel gives those whose parent has ended. */
const INIT = 1;

/** The parent when this process began, which may be gone before the caller begins to look. */
const parent = process.ppid;

/** npm where a shell of it stands between it and this process, or null. */
const npm = npmAbove(parent);

/**
 * Calls `end` once npm, which started this process, is gone. npm starts a script by a shell and hands SIGTERM to that shell
 * only, which ends without passing it on; it ends by SIGHUP without passing it to anybody, and the shell waits on. A process
 * that something else has started may well outlive its parent. In plain JavaScript, since tools/run.mjs needs it before
 * anything is installed.
 */
export function onNpmGone(end) {
  if (process.env.npm_command === undefined) return;
  const looking = setInterval(() => {
    const isParentThere = process.ppid === parent && !(parent === INIT && isNpm(INIT) === false);
    if (isParentThere && (npm === null || parentOf(parent) === npm)) return;
    clearInterval(looking);
    end();
  }, LOOK_EVERY_MS).unref();
}

function npmAbove(shell) {
  if (isNpm(shell) !== false) return null;
  const above = parentOf(shell);
  return above !== null && isNpm(above) === true ? above : null;
}

/** Whether a process is npm's, which in a container may be the first. Null where that cannot be known. */
function isNpm(pid) {
  try {
    return /\bnp[mx]\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return null;
  }
}

/** The parent of a process, or null where that cannot be known. */
function parentOf(pid) {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

import { readFileSync } from 'node:fs';

/** The interval between checks whether npm is still running. */
const LOOK_EVERY_MS = 500;

/** The process that becomes the parent of orphans. */
const INIT = 1;

/** The parent at startup. Read now, because it may end before `onNpmGone` is called. */
const parent = process.ppid;

/** npm's process id if npm is the parent's parent, with a shell in between; otherwise null. */
const npm = npmAbove(parent);

/**
 * Calls `end` when npm has ended, if npm started this process. Needed because npm starts a script in a shell, and
 * signals do not reach the script: npm sends SIGTERM only to the shell, which ends without forwarding the signal, and
 * SIGHUP ends npm alone, while the shell keeps waiting. Does nothing in processes that npm did not start, because they
 * may outlive their parent. This file is plain JavaScript, because tools/run.mjs uses it before anything is installed.
 */
export function onNpmGone(end) {
  if (process.env.npm_command === undefined) return;
  const looking = setInterval(() => {
    const isParentThere = process.ppid === parent && !(parent === INIT && isNpm(INIT) === false);
    if (isParentThere && (npm === null || getParent(parent) === npm)) return;
    clearInterval(looking);
    end();
  }, LOOK_EVERY_MS).unref();
}

function npmAbove(shell) {
  if (isNpm(shell) !== false) return null;
  const above = getParent(shell);
  return above !== null && isNpm(above) === true ? above : null;
}

/** Whether a process is npm. Null if unknown. In a container, npm may be process 1. */
function isNpm(pid) {
  try {
    return /\bnp[mx]\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return null;
  }
}

/** The parent of a process, or null if unknown. */
function getParent(pid) {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

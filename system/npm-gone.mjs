import { readFileSync } from 'node:fs';

/** The interval between checks whether npm is still running. */
const LOOK_EVERY_MS = 500;

/** The process that becomes the parent of orphans. */
const INIT = 1;

/** The parent at startup. It may end before the caller starts to check. */
const parent = process.ppid;

/** npm's process id if a shell runs between npm and this process; otherwise null. */
const npm = npmAbove(parent);

/**
 * Calls `end` once npm has ended, if npm started this process. npm starts a script by a shell. npm sends SIGTERM only
 * to that shell, which ends without forwarding it; SIGHUP ends npm alone, and the shell keeps waiting. Processes that
 * npm did not start are left alone, because they may outlive their parent. This file is plain JavaScript because
 * tools/run.mjs uses it before anything is installed.
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

/** Whether a process is npm, which may be process 1 in a container. Null if unknown. */
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

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEndingSignal } from '../../system/ending-signals.ts';

/** The time between SIGTERM and SIGKILL, for a process group to clean up. */
const GRACE_MS = 15_000;

const signalGroup = (group: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-group, signal);
  } catch {
    // The process group has no process left.
    return false;
  }
};

async function endGroup(group: number, grace_ms: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  const until = performance.now() + grace_ms;
  while (signalGroup(group, 0) && performance.now() < until) await sleep(50);
  signalGroup(group, 'SIGKILL');
}

/**
 * Runs a program in its own process group. At the deadline, and after the program's end, ends all remaining processes
 * of the group. Forwards SIGINT, SIGTERM and SIGHUP to the group. Returns how the program ended.
 */
export async function runWithin(
  deadline_ms: number,
  program: string,
  args: readonly string[],
  { cwd, grace_ms = GRACE_MS }: { readonly cwd?: string; readonly grace_ms?: number } = {},
): Promise<'ended' | 'hung' | 'interrupted'> {
  const child = spawn(program, args, { cwd, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  const closed = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  const group = child.pid;
  if (group === undefined) {
    await closed;
    return 'ended';
  }
  let ending: 'ended' | 'hung' | 'interrupted' = 'ended';
  const timer = setTimeout(() => {
    ending = 'hung';
    void endGroup(group, grace_ms);
  }, deadline_ms);
  const forget = onEndingSignal((signal) => {
    ending = 'interrupted';
    signalGroup(group, signal);
  });
  try {
    await closed;
    await endGroup(group, grace_ms);
    return ending;
  } finally {
    clearTimeout(timer);
    forget();
  }
}

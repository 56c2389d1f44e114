import { findExecutable } from '../../../system/find-executable.ts';
import { runQuietly } from '../../../system/run-quietly.ts';

/**
 * The newest iptables that mahimahi can use. mahimahi's shells run iptables as setuid root programs. From 1.8.8 on,
 * iptables refuses this with status 111, and the shell ends. The libraries of iptables must have the same version.
 */
const NEWEST_USABLE = [1, 8, 7];

/** Whether mahimahi can use the iptables that prints this version. */
export function isUsable(version: string): boolean {
  const parts = /v(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (!parts) return false;
  const difference = parts
    .map((part, index) => part - (NEWEST_USABLE[index] ?? 0))
    .find((each) => each !== 0);
  return (difference ?? 0) <= 0;
}

/** Returns the version of iptables. Throws an Error of one line if mahimahi cannot use this version. */
export async function usableIptables(): Promise<string> {
  const iptables = findExecutable('iptables');
  if (iptables === undefined) throw new Error('iptables is not on the PATH');
  const version = (await runQuietly(iptables, ['--version'])).trim();
  if (!isUsable(version)) throw new Error(`${version} refuses to run for mahimahi; it needs at most 1.8.7`);
  return version;
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { onEndingSignal } from '../ending-signals.ts';
import { ownerIsGone } from '../owner-is-gone.ts';
import { ip } from './ip.ts';

const FOLDER = '/run/netns';
const PREFIX = 'sammy-';

/** The name of a network namespace of this process. */
export const namespaceOf = (label: string): string => `${PREFIX}${process.pid}-${label}`;

/**
 * Makes network namespaces, named by `namespaceOf`, for as long as `use` takes. They are removed too when the process is
 * interrupted or exits, with all that still runs in them, and those of a process that was killed before it could, by the
 * next one. Needs root and iproute2.
 *
 * TCP in them has the congestion control asked for: one of net.ipv4.tcp_allowed_congestion_control, since the kernel lets a
 * namespace choose no other. If undefined, it has the kernel's.
 */
export async function withNamespaces<T>(
  names: readonly string[],
  congestionControl: string | undefined,
  use: () => Promise<T>,
): Promise<T> {
  removeStaleNamespaces();
  const made: string[] = [];
  const remove = (): void => removeAll(made.splice(0));
  process.on('exit', remove);
  const takeBack = onEndingSignal((signal) => {
    takeBack();
    try {
      remove();
    } finally {
      // Others who wait for this signal hear of it again, and the last one lets it end the process.
      process.kill(process.pid, signal);
    }
  });
  try {
    for (const name of names) {
      ip(undefined, 'netns', 'add', name);
      made.push(name);
      const setting = '/proc/sys/net/ipv4/tcp_congestion_control';
      if (congestionControl !== undefined)
        ip(undefined, 'netns', 'exec', name, 'sh', '-c', `echo ${congestionControl} > ${setting}`);
    }
    return await use();
  } finally {
    process.off('exit', remove);
    takeBack();
    remove();
  }
}

/** Removes the network namespaces of processes that were killed before they could, and ends what still runs in them. */
export function removeStaleNamespaces(): void {
  const all = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const stale = all.filter((name) => ownerIsGone(name, PREFIX));
  try {
    removeAll(stale);
  } catch {
    // Another process, which has seen the same, was first.
  }
}

/** Also those after one that cannot be removed, for which it then throws. */
function removeAll(names: readonly string[]): void {
  const failures = names.flatMap((name) => {
    try {
      endInside(name);
      ip(undefined, 'netns', 'del', name);
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (failures.length > 0) throw failures[0];
}

/** Without this, a namespace without a name would last as long as the longest of its programs. */
function endInside(name: string): void {
  const running = readPids(name)
    .split('\n')
    .filter((line) => line !== '');
  for (const pid of running) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** A line for each process in a namespace; nothing if there is no such namespace. */
function readPids(name: string): string {
  try {
    return execFileSync('ip', ['netns', 'pids', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

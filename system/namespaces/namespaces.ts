import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onEndingSignal } from '../ending-signals.ts';
import { ownerIsGone } from '../owner-is-gone.ts';
import { ip } from './ip.ts';

const FOLDER = '/run/netns';
const PREFIX = 'sammy-';

/** Returns the name of a network namespace of this process. */
export const createNamespace = (label: string): string => `${PREFIX}${process.pid}-${label}`;

/**
 * Creates the network namespaces `names` (see `createNamespace`), calls `use`, then removes the namespaces and kills
 * all processes in them, even if this process is interrupted or exits. First removes namespaces of earlier processes
 * that were killed before they could clean up. Needs root and iproute2.
 *
 * TCP in these namespaces uses `congestionControl`, or the kernel's default if undefined. The kernel accepts only
 * algorithms in net.ipv4.tcp_allowed_congestion_control.
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
      // Raise the signal again for other handlers. If there are none, it ends the process.
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

/** Removes the network namespaces that killed processes left behind, and kills the processes in these namespaces. */
export function removeStaleNamespaces(): void {
  const all = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const stale = all.filter((name) => ownerIsGone(name, PREFIX));
  try {
    removeAll(stale);
  } catch {
    // Another process may have removed them already.
  }
}

/** Removes all namespaces, even if removing one fails, and then throws the first error. */
function removeAll(names: readonly string[]): void {
  const failures = names.flatMap((name) => {
    const inode = statSync(join(FOLDER, name), { throwIfNoEntry: false })?.ino;
    try {
      ip(undefined, 'netns', 'del', name);
      return [];
    } catch (error) {
      return [error];
    } finally {
      if (inode !== undefined) endInside(inode);
    }
  });
  if (failures.length > 0) throw failures[0];
}

/**
 * Kills the processes in a namespace without a name, which no other process can enter anymore. The kernel keeps
 * such a namespace until the last process ends.
 */
function endInside(inode: number): void {
  const inside = readdirSync('/proc').filter((pid) => networkNamespace(pid) === `net:[${inode}]`);
  for (const pid of inside) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}

/** Returns the network namespace of a process, as the kernel writes it; null if there is no such process. */
function networkNamespace(pid: string): string | null {
  try {
    return readlinkSync(join('/proc', pid, 'ns/net'));
  } catch {
    return null;
  }
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { ip } from './ip.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const NAMESPACES = '/run/netns';

/** The name of a network namespace of this process. */
export const namespaceOf = (label: string): string => `p4-${process.pid}-${label}`;

/**
 * Makes network namespaces, named by `namespaceOf`, for as long as `use` takes; they are removed too when the process is
 * interrupted or exits, and those of a process that was killed before it could, by the next one. TCP in them has the
 * congestion control asked for: one of net.ipv4.tcp_allowed_congestion_control, since the kernel lets a namespace choose no
 * other.
 */
export async function withNamespaces<T>(
  names: readonly string[],
  congestionControl: 'reno' | 'bbr',
  use: () => Promise<T>,
): Promise<T> {
  removeStale();
  const made: string[] = [];
  const remove = (): void => removeAll(made.splice(0));
  const interrupted = (): void => process.exit(1);
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    for (const name of names) {
      ip(undefined, 'netns', 'add', name);
      made.push(name);
      const setting = '/proc/sys/net/ipv4/tcp_congestion_control';
      execFileSync('ip', ['netns', 'exec', name, 'sh', '-c', `echo ${congestionControl} > ${setting}`]);
    }
    return await use();
  } finally {
    process.off('exit', remove);
    for (const signal of SIGNALS) process.off(signal, interrupted);
    remove();
  }
}

/** Also those after one that cannot be removed, for which it then throws. */
function removeAll(names: readonly string[]): void {
  const failures = names.flatMap((name) => {
    try {
      ip(undefined, 'netns', 'del', name);
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (failures.length > 0) throw failures[0];
}

function removeStale(): void {
  const stale = (existsSync(NAMESPACES) ? readdirSync(NAMESPACES) : []).filter((name) => {
    const pid = /^p4-(\d+)-/.exec(name)?.[1];
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  });
  try {
    removeAll(stale);
  } catch {
    // Another process, which has seen the same, was first.
  }
}

import { execFileSync } from 'node:child_process';
import { ip } from './ip.ts';

/**
 * Makes network namespaces for as long as `use` takes. TCP in them has the congestion control asked for: one of
 * net.ipv4.tcp_allowed_congestion_control, since the kernel lets a namespace choose no other.
 */
export async function withNamespaces<T>(
  names: readonly string[],
  congestionControl: 'reno' | 'bbr',
  use: () => Promise<T>,
): Promise<T> {
  const made: string[] = [];
  try {
    for (const name of names) {
      ip(undefined, 'netns', 'add', name);
      made.push(name);
      const setting = `/proc/sys/net/ipv4/tcp_congestion_control`;
      execFileSync('ip', ['netns', 'exec', name, 'sh', '-c', `echo ${congestionControl} > ${setting}`]);
    }
    return await use();
  } finally {
    for (const name of made) ip(undefined, 'netns', 'del', name);
  }
}

import { execFileSync } from 'node:child_process';
import { ip } from './ip.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes network namespaces for as long as `use` takes; they are removed too when the process is interrupted. TCP in them
 * has the congestion control asked for: one of net.ipv4.tcp_allowed_congestion_control, since the kernel lets a
 * namespace choose no other.
 */
export async function withNamespaces<T>(
  names: readonly string[],
  congestionControl: 'reno' | 'bbr',
  use: () => Promise<T>,
): Promise<T> {
  const made: string[] = [];
  const remove = (): void => {
    for (const name of made.splice(0)) ip(undefined, 'netns', 'del', name);
  };
  const interrupted = (): void => {
    remove();
    process.exit(1);
  };
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
    for (const signal of SIGNALS) process.off(signal, interrupted);
    remove();
  }
}

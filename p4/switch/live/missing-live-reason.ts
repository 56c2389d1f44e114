import { existsSync } from 'node:fs';

/** Returns the reason why this machine cannot run a live switch; undefined if the machine supports live switches. */
export function missingLiveReason(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  if (!existsSync('/dev/net/tun')) return 'no /dev/net/tun';
  return ['/sbin/ip', '/usr/sbin/ip', '/usr/bin/ip', '/bin/ip'].some(existsSync) ? undefined : 'no iproute2';
}

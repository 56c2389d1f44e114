import { existsSync, readdirSync } from 'node:fs';
import { ip } from '../../p4/switch/live/ip.ts';

const FOLDER = '/run/netns';

/** Removes the network namespaces of processes that were killed before they could. */
export function removeStaleNamespaces(): void {
  for (const name of existsSync(FOLDER) ? readdirSync(FOLDER) : []) {
    const pid = /^sbuf(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) ip(undefined, 'netns', 'del', name);
  }
}

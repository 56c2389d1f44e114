import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ip } from '../../../p4/switch/live/ip.ts';

const NAMESPACES = '/run/netns';
const LINK_FOLDER = 'dashjs-sammy-link-';
const NAMESPACE = 'sammy-';

/** The prefix, for `mkdtemp`, of the folder of a link's traces and log. */
export const linkFolder = (): string => join(tmpdir(), `${LINK_FOLDER}${process.pid}-`);

/** The name of the network namespace behind a switch. */
export const namespaceName = (): string => `${NAMESPACE}${process.pid}`;

/** Removes the folders and network namespaces of processes that were killed before they could. */
export async function removeStaleLinks(): Promise<void> {
  const ownerIsGone = (name: string, prefix: string): boolean => {
    const pid = name.startsWith(prefix) ? /^\d+(?=-|$)/.exec(name.slice(prefix.length))?.[0] : undefined;
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  };
  for (const name of await readdir(tmpdir())) {
    if (ownerIsGone(name, LINK_FOLDER)) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
  for (const name of existsSync(NAMESPACES) ? await readdir(NAMESPACES) : []) {
    if (ownerIsGone(name, NAMESPACE)) ip(undefined, 'netns', 'del', name);
  }
}

import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeStaleNamespaces } from '../../../system/namespaces/namespaces.ts';

const LINK_FOLDER = 'dashjs-sammy-link-';

/** The prefix, for `mkdtemp`, of the folder of a link's traces and log. */
export const linkFolder = (): string => join(tmpdir(), `${LINK_FOLDER}${process.pid}-`);

/** Removes the folders and network namespaces of processes that were killed before they could. */
export async function removeStaleLinks(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (ownerIsGone(name)) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
  removeStaleNamespaces();
}

function ownerIsGone(folder: string): boolean {
  const pid = folder.startsWith(LINK_FOLDER)
    ? /^\d+(?=-|$)/.exec(folder.slice(LINK_FOLDER.length))?.[0]
    : undefined;
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}

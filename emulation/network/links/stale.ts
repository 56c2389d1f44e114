import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerIsGone } from '../../../system/owner-is-gone.ts';
import { removeStaleNamespaces } from '../../../system/namespaces/namespaces.ts';

const LINK_FOLDER = 'dashjs-sammy-link-';

/** The prefix, for `mkdtemp`, of the folder of a link's traces and log. */
export const linkFolder = (): string => join(tmpdir(), `${LINK_FOLDER}${process.pid}-`);

/** Removes the folders and network namespaces that killed processes have left. */
export async function removeStaleLinks(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (ownerIsGone(name, LINK_FOLDER)) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
  removeStaleNamespaces();
}

import { chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The outermost folder that has to be made for this one; undefined if it is there. */
export function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return firstMissing(dirname(folder)) ?? folder;
}

/** Does nothing unless this is root: gives the results, from the first folder made for them on, to the owner of the folder above it. */
export function giveToOwner(made: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(made));
  const give = (path: string): void => {
    chownSync(path, uid, gid);
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
  };
  give(made);
}

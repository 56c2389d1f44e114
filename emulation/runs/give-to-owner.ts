import { chownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** With sudo, gives the results, from the first folder made for them on, to the owner of the folder above it. */
export function giveToOwner(made: string): void {
  const { uid, gid } = statSync(dirname(made));
  const give = (path: string): void => {
    chownSync(path, uid, gid);
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
  };
  give(made);
}

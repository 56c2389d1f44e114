import { chownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** With sudo, the results, from the first folder that was made for them on, belong to whoever owns the one above. */
export function giveToOwner(made: string): void {
  const { uid, gid } = statSync(dirname(made));
  const give = (path: string): void => {
    chownSync(path, uid, gid);
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
  };
  give(made);
}

import { chownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** With sudo, the results belong to whoever owns the folder they were put into. */
export function giveToOwner(outDir: string): void {
  const { uid, gid } = statSync(dirname(outDir));
  const give = (path: string): void => {
    chownSync(path, uid, gid);
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
  };
  give(outDir);
}

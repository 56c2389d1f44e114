import { readFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { replaceFiles } from '../system/replace-files.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds the package that `npx dashjs-sammy-edge` runs into dist/: the Node edge as one JavaScript file, which imports
 * only the package's dependencies. Returns the file's path. Several processes may build at the same time.
 */
export async function buildEdge(): Promise<string> {
  const folder = at('dist');
  const { outputFiles } = await build({
    entryPoints: [at('local/main.ts')],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    write: false,
  });
  await mkdir(folder, { recursive: true });
  replaceFiles(folder, {
    'main.js': outputFiles[0]?.text ?? '',
    LICENSE: await readFile(at('../LICENSE'), 'utf8'),
    // The program finds its BPF source files in its own folder.
    'yield.c': await readFile(at('local/kernel/bpf/yield.c'), 'utf8'),
    'struct-ops.h': await readFile(at('local/kernel/bpf/struct-ops.h'), 'utf8'),
  });
  return join(folder, 'main.js');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildEdge();

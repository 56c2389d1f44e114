import { readFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { replaceFiles } from '../system/replace-files.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds the Node edge into dist/, as the package that `npx dashjs-sammy-edge` runs: one file of JavaScript, which imports
 * the package's dependencies and nothing else of this repository. Returns the program's path. Several processes may
 * build at the same time.
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

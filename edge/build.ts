import { copyFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Builds the Node edge into dist/, as the package that `npx dashjs-sammy-edge` runs: one file of JavaScript, which imports
 * the package's dependencies and nothing else of this repository.
 */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

await rm(at('dist'), { recursive: true, force: true });
await build({
  entryPoints: [at('local/main.ts')],
  outfile: at('dist/main.js'),
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
await copyFile(at('../LICENSE'), at('dist/LICENSE'));

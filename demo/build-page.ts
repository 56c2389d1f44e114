import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));

/** Bundles a page (default: the demo's) with dash.js, the plug-in and the charts into `outDir`. Returns `outDir`. */
export async function buildPage(outDir = join(here, 'dist'), page = join(here, 'page')): Promise<string> {
  await build({
    configFile: false,
    root: page,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 2000 },
  });
  return outDir;
}

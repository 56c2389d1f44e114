import { fileURLToPath } from 'node:url';

/** Bundles the lab's page with dash.js, the plug-in and all arms into `outDir`. */
export async function buildPage(outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: fileURLToPath(new URL('page', import.meta.url)),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 2000 },
  });
}

import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { LIBRARIES, libraryConfig } from './libraries.ts';
import { buildLegacy } from './build-legacy.ts';

export const help = `
npm run build

Builds the plug-in and its other entries into dist/: ES module, CommonJS, UMD for a script tag, one of everything for old
televisions, and type declarations.
`;

const root = fileURLToPath(new URL('..', import.meta.url));

export async function main(): Promise<void> {
  await rm(join(root, 'dist'), { recursive: true, force: true });
  for (const library of LIBRARIES) {
    await build({ ...libraryConfig(library), root, configFile: false, logLevel: 'warn' });
  }
  await buildLegacy(root);
  const tsc = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    { cwd: root, stdio: 'inherit' },
  );
  if (tsc.status !== 0) throw new Error('the type declarations could not be built; see the errors above');
  await declareForRequire(join(root, 'dist/types'));
}

/**
 * Copies the declarations as .d.cts for CommonJS. In a package of ES modules TypeScript takes every .d.ts for the
 * declaration of an ES module, which CommonJS cannot `require` (TS1479).
 */
async function declareForRequire(types: string): Promise<void> {
  const files = await readdir(types, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
    const declarations = await readFile(join(types, file), 'utf8');
    await writeFile(
      join(types, file.replace(/\.d\.ts$/, '.d.cts')),
      declarations.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.cts'"),
    );
  }
}

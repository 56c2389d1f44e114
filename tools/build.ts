import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { build } from 'vite';
import { LIBRARIES, libraryConfig } from './libraries.ts';
import { buildLegacy } from './build-legacy.ts';
import { inModules, root, runNode } from './testing/step.ts';

export const help = `
npm run build

Builds the plug-in and its other entries into dist/: ES module, CommonJS, UMD for a script tag, one of everything for old
televisions, and type declarations.
`;

/** The path by which one declaration file imports another, as in `from './x.ts'` and `import("./x.ts")`. */
const IMPORTED = /(?<=from '|import\(["'])\.[^'"]*\.ts(?=['"])/g;

export async function main(): Promise<void> {
  await rm(join(root, 'dist'), { recursive: true, force: true });
  await mkdir(join(root, 'dist'));
  // All at the same time: terser, which takes most of the time, runs in threads, and tsc is a process of its own.
  await Promise.all([
    ...LIBRARIES.map((library) =>
      build({ ...libraryConfig(library), root, configFile: false, logLevel: 'warn' }),
    ),
    buildLegacy(root),
    buildTypes(),
  ]);
}

async function buildTypes(): Promise<void> {
  const status = await runNode('inherit', inModules('typescript/bin/tsc'), ['-p', 'tsconfig.build.json']);
  if (status !== 0) throw new Error('the type declarations could not be built; see the errors above');
  await declareForBoth(join(root, 'dist/types'));
}

/**
 * Makes one set of declarations work for `require` and `import`. In a package of ES modules, TypeScript treats every
 * .d.ts as the declaration of an ES module, which CommonJS cannot `require` (TS1479). An ES module, however, may import
 * CommonJS declarations. So all declarations become .d.cts, and each entry's .d.ts refers to its .d.cts. Declarations
 * that no entry reaches are deleted.
 */
async function declareForBoth(types: string): Promise<void> {
  const files = (await readdir(types, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
  const texts = new Map<string, string>();
  for (const file of files) {
    texts.set(file, await readFile(join(types, file), 'utf8'));
    await rm(join(types, file));
  }
  const entries = new Set(LIBRARIES.map(({ source }) => source.replace(/^src\/(.*)\.ts$/, '$1.d.ts')));
  const reached = new Set(entries);
  for (const file of reached)
    for (const [path] of (texts.get(file) ?? '').matchAll(IMPORTED))
      reached.add(posix.join(posix.dirname(file), path).replace(/\.ts$/, '.d.ts'));
  for (const file of reached) {
    const declarations = texts.get(file);
    if (declarations === undefined) throw new Error(`dist/types has no ${file}, which another file imports`);
    await writeFile(
      join(types, file.replace(/\.d\.ts$/, '.d.cts')),
      declarations.replaceAll(IMPORTED, (path) => path.replace(/\.ts$/, '.cts')),
    );
  }
  for (const entry of entries)
    await writeFile(
      join(types, entry),
      `export * from './${posix.basename(entry).replace('.d.ts', '.cjs')}';\n`,
    );
}

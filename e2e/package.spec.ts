import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, test } from '@playwright/test';
import { consumerBundle, LARGEST_CONSUMER_BUNDLE_BYTES } from '../tools/consumer-bundle.ts';
import { root } from '../tools/steps.ts';
import { packAndInstall, run, type Packed } from './support/packed.ts';

let packed: Packed;
test.beforeAll(async () => {
  packed = await packAndInstall();
});
test.afterAll(() => packed.remove());

const built = (name: string) =>
  readFile(join(packed.application, 'node_modules/dashjs-sammy/dist', name), 'utf8');

test('an application pays at most 13.9 kB for the plug-in, minified by its own bundler and gzipped', async () => {
  const { code, gzipped_bytes } = await consumerBundle();
  // Not a bundle that lost its plug-in: dash.js's name of Sammy's rule is in it.
  expect(code).toContain('SammyRule');
  expect(gzipped_bytes).toBeLessThanOrEqual(LARGEST_CONSUMER_BUNDLE_BYTES);
});

test('the plug-in imports nothing', async () => {
  expect(await built('dashjs-sammy.js')).not.toMatch(/^import |\bfrom ['"]|\brequire\(/m);
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object;
  expect(manifest).not.toHaveProperty('dependencies');
});

/** Files for a script tag: nothing is imported from them. */
const SCRIPTS = [/\.umd\.js$/];

test('attw finds the right types for every way to resolve the packed package', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(packed.tarball), {
    excludeEntrypoints: SCRIPTS,
  });
  if (!analysis.types) throw new Error('attw found no types');
  expect(Object.keys(analysis.entrypoints)).toContain('.');
  expect(analysis.problems).toEqual([]);
});

test('publint has nothing to say of the packed package', async () => {
  const { messages } = await publint({ pack: { tarball: packed.tarball.buffer }, strict: true });
  expect(messages).toEqual([]);
});

const USE = `
const attach: (player: MediaPlayerLike, options?: AttachOptions) => SammyHandle = attachSammy;
export const reserve: PacePolicy = smooth({ reserve_s: 12 });
export const listen = (player: MediaPlayerLike) =>
  attach(player, { c0: 3 }).on('decision', ({ requested_kbps }) => requested_kbps?.toFixed());
// @ts-expect-error A wrong option is refused, so these are types and not any.
export const wrong = (player: MediaPlayerLike) => attachSammy(player, { c0: 'three' });
`;
const TYPES = 'AttachOptions, MediaPlayerLike, PacePolicy, SammyHandle';
const CONSUMERS = [
  { name: 'CommonJS, node16', file: 'use.cts', module: 'node16' },
  { name: 'ES module, node16', file: 'use.mts', module: 'node16' },
  { name: 'CommonJS, nodenext', file: 'use.cts', module: 'nodenext' },
  { name: 'bundler', file: 'use.ts', module: 'esnext', moduleResolution: 'bundler' },
] as const;

for (const { name, file, module, ...rest } of CONSUMERS) {
  test(`a TypeScript application compiles against the packed package: ${name}`, async () => {
    const { application } = packed;
    await writeFile(
      join(application, file),
      `import { attachSammy, smooth } from 'dashjs-sammy';\nimport type { ${TYPES} } from 'dashjs-sammy';\n${USE}`,
    );
    const compilerOptions = {
      module,
      ...rest,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      strict: true,
      exactOptionalPropertyTypes: true,
      // Our declarations are checked too.
      skipLibCheck: false,
      types: [],
      noEmit: true,
    };
    await writeFile(join(application, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], application);
  });
}

test('import and require in Node give the same names', () => {
  const names = (code: string) =>
    run(
      process.execPath,
      code.startsWith('import') ? ['--input-type=module', '-e', code] : ['-e', code],
      packed.application,
    ).trim();
  const imported = names(
    `import * as sammy from 'dashjs-sammy'; console.log(Object.keys(sammy).sort().join())`,
  );
  expect(imported).toBe('DEFAULTS,attachSammy,hyb,parseReceipt,smooth');
  expect(names(`console.log(Object.keys(require('dashjs-sammy')).sort().join())`)).toBe(imported);
  expect(names(`console.log(require('dashjs-sammy/package.json').name)`)).toBe('dashjs-sammy');
});

test('the script files are where CDNs and bundlers look for them', async () => {
  const { exports, unpkg, jsdelivr } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
    unpkg: string;
    jsdelivr: string;
  };
  expect(jsdelivr).toBe(unpkg);
  expect(exports[unpkg]).toBe(unpkg);
  for (const script of ['dashjs-sammy.umd.js', 'dashjs-sammy.legacy.umd.js']) {
    const resolve = `console.log(require.resolve('dashjs-sammy/dist/${script}'))`;
    expect(run(process.execPath, ['-e', resolve], packed.application)).toContain(join('dist', script));
  }
});

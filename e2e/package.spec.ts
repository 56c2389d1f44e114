import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';

const built = (name: string) => readFile(new URL(`../dist/${name}`, import.meta.url), 'utf8');

test('the plug-in is at most 12 kB minified and gzipped, and imports nothing', async () => {
  const umd = await built('dashjs-sammy.umd.js');
  expect(gzipSync(umd, { level: 9 }).length).toBeLessThanOrEqual(12_000);
  const esm = await built('dashjs-sammy.js');
  expect(esm).not.toMatch(/^import |\bfrom ['"]|\brequire\(/m);
  expect(await built('types/index.d.ts')).toContain('attachSammy');
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as object;
  expect(manifest).not.toHaveProperty('dependencies');
});

import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { consumerBundle, LARGEST_CONSUMER_BUNDLE_BYTES } from '../tools/consumer-bundle.ts';

const built = (name: string) => readFile(new URL(`../dist/${name}`, import.meta.url), 'utf8');

test('an application pays at most 13 kB for the plug-in, minified by its own bundler and gzipped', async () => {
  const { code, gzipped_bytes } = await consumerBundle();
  // Not a bundle that lost its plug-in: dash.js's name of Sammy's rule is in it.
  expect(code).toContain('SammyRule');
  expect(gzipped_bytes).toBeLessThanOrEqual(LARGEST_CONSUMER_BUNDLE_BYTES);
});

test('the plug-in imports nothing', async () => {
  const esm = await built('dashjs-sammy.js');
  expect(esm).not.toMatch(/^import |\bfrom ['"]|\brequire\(/m);
  expect(await built('types/index.d.ts')).toContain('attachSammy');
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as object;
  expect(manifest).not.toHaveProperty('dependencies');
});

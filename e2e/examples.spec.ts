import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '../system/free-port.ts';
import { startProgram } from '../system/background-program.ts';
import { startEdge } from '../edge/local/server.ts';
import { createHandler } from '../edge/handler.ts';
import { directoryOrigin } from '../edge/local/directory-origin.ts';
import { paceLimits } from '../edge/policy.ts';
import { root } from '../tools/steps.ts';
import { expect, test } from './support/fixtures.ts';
import { packAndInstall, run, type Packed } from './support/packed.ts';
import { selectSegments, type TestEdge } from './support/test-edge.ts';

/**
 * Tests the examples as their READMEs start them, with the packed package, and a video from an edge on another origin
 * that paces.
 */

// All tests share one installation.
test.describe.configure({ mode: 'default' });

/** The packages that `npm install` would install in addition to the plug-in. */
const INSTALLED = ['dashjs', 'react', 'react-dom', '@types/react', '@types/react-dom', 'vite'];

let packed: Packed;
const folder = (example: string): string => join(packed.application, 'examples', example);
const ours = (path: string): string => join(root, 'node_modules', path);

test.beforeAll(async () => {
  packed = await packAndInstall();
  await cp(join(root, 'examples'), join(packed.application, 'examples'), { recursive: true });
  for (const name of INSTALLED) {
    const link = join(packed.application, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(ours(name), link);
  }
});
test.afterAll(() => packed.remove());

/** Opens the page, and waits until it shows that the edge has applied the requested pace. */
async function expectPaced(page: Page, url: string, edge: TestEdge): Promise<void> {
  const thrown: string[] = [];
  page.on('pageerror', ({ message }) => thrown.push(message));
  await page.goto(`${url}?manifest=${edge.url}/content/manifest.mpd`);
  await expect(page.locator('output')).toHaveText(/^asked for \d+ kbit\/s, the edge set \d+$/, {
    timeout: 60_000,
  });
  const [, asked, set] = /for (\d+) .* set (\d+)/.exec(await page.locator('output').innerText()) ?? [];
  expect(set).toBe(asked);
  // Poll, because the page sees the end of a response before the edge has recorded it.
  await expect
    .poll(() => selectSegments(edge.responses).map(({ pace_kbps }) => String(pace_kbps)))
    .toContain(set);
  expect(thrown).toEqual([]);
}

for (const example of ['vite', 'react'])
  test(`${example}: compiles against the packed package, starts, and is paced`, async ({ page, edge }) => {
    const example_folder = folder(example);
    run(process.execPath, [ours('typescript/bin/tsc')], example_folder);
    const port = await freePort();
    const server = await startProgram(
      process.execPath,
      [ours('vite/bin/vite.js'), '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
      { port, cwd: example_folder },
    );
    try {
      const url = `http://127.0.0.1:${port}/`;
      // Vite accepts connections for a moment before it starts: it listens to find out whether the port is free.
      await expect.poll(() => fetch(url).then(({ ok }) => ok, String), { timeout: 60_000 }).toBe(true);
      await expectPaced(page, url, edge);
    } finally {
      await server.close();
    }
  });

test('script-tag: starts with the two files that its README names, and is paced', async ({ page, edge }) => {
  const readme = await readFile(join(folder('script-tag'), 'README.md'), 'utf8');
  const named = [...readme.matchAll(/node_modules\/(\S+\.js) \./g)].map(([, file = '']) => file);
  expect(named).toHaveLength(2);
  for (const file of named)
    await cp(join(packed.application, 'node_modules', file), join(folder('script-tag'), basename(file)));
  const origin = await directoryOrigin(folder('script-tag'));
  const server = await startEdge({ handler: createHandler({ origin, limits: paceLimits({}) }) });
  try {
    await expectPaced(page, `${server.url}/index.html`, edge);
  } finally {
    await server.close();
  }
});

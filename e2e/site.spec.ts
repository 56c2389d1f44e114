import { expect } from '@playwright/test';
import { join } from 'node:path';
import { play } from '../docs/.vitepress/theme/live/buffer/flow.ts';
import { chosenMap, choose, topBound } from '../docs/.vitepress/theme/live/chooser/ask.ts';
import { ask } from '../docs/.vitepress/theme/live/cmcd/ask.ts';
import { bothWays } from '../docs/.vitepress/theme/live/pace/segment.ts';
import { curve } from '../docs/.vitepress/theme/live/share/curve.ts';
import { missingFirefoxReason } from '../tools/setup/firefox.ts';
import { test } from './support/engines/firefox.ts';
import { buildPages } from './support/build-pages.ts';
import { simulatedBy } from './support/lab-simulate.ts';
import { serveSite, type Site } from './support/serve-site.ts';

/** Maximum size of everything that the landing page loads for its first screen. The fonts are the device's own. */
const MOST_GZIP_BYTES = 160_000;
/** The attribute in which the interactive components store their complete results. */
const MEASURED = '[data-measured]';

interface Measured {
  readonly command: string;
  readonly sessions: readonly { readonly arm: string; readonly metrics: object }[];
}

// All tests share one build.
test.describe.configure({ mode: 'default' });
let site: Site;
// Playwright requires that the first parameter is destructured.
// oxlint-disable-next-line no-empty-pattern
test.beforeAll(async ({}, { project }) => {
  test.setTimeout(300_000);
  site = await serveSite(await buildPages(join(project.outputDir, 'site'), ['index.md', 'guide/live.md']));
});
test.afterAll(() => site.close());

const parseMeasured = (text: string | null): Measured => JSON.parse(text ?? '{}') as Measured;

async function expectSameInLab({ command, sessions }: Measured): Promise<void> {
  expect(sessions.map(({ arm }) => arm)).toEqual(['dashjs', 'sammy-careful', 'sammy-considerate']);
  const metrics = Object.fromEntries(sessions.map((each) => [each.arm, each.metrics]));
  expect(metrics).toEqual(await simulatedBy(command));
}

/**
 * Whether Vue has taken over the page, after its load event. A component that waits for the focus would otherwise miss
 * it.
 */
const isTakenOver = (): boolean => '__vue_app__' in (document.querySelector('#app') ?? {});

test('the landing page shows charts of all arms before it computes, and is small', async ({ page }) => {
  site.take();
  await page.goto(site.url, { waitUntil: 'networkidle' });
  for (const arm of [0, 1, 2])
    await expect(page.locator(`tr.neighbor td.arm-${arm} path.data`)).toHaveAttribute('d', /^M/);
  await expect(page.locator('.verdicts td.arm-1')).toContainText(/viewer: .+; neighbor: −\d+%/);
  const sizes = site.take();
  expect([...sizes.keys()].filter((path) => path.includes('worker'))).toEqual([]);
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_GZIP_BYTES);
});

test('the browser computes the same results as the build and as the command', async ({ page }) => {
  await page.goto(site.url);
  await page.waitForFunction(isTakenOver);
  const table = page.locator('.neighborhood table');
  const built = await table.innerHTML();
  await page.getByLabel('Link').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  const measured = page.locator(MEASURED);
  await expect(measured).toBeAttached({ timeout: 60_000 });
  const figures = (html: string): string[] => html.match(/ d="[^"]*"|>[^<]*\d[^<]*</g) ?? [];
  expect(figures(await table.innerHTML())).toEqual(figures(built));

  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowLeft');
  await page.getByLabel('a download').focus();
  await page.keyboard.press('Space');
  await expect(page.locator('.neighborhood code')).toContainText(
    'neighbor-http --link virtual --conditions buffer-240s --rate 15',
  );
  await expect(measured).toHaveAttribute(
    'data-measured',
    /neighbor-http --link virtual --conditions buffer-240s --rate 15 /,
  );
  await expectSameInLab(parseMeasured(await measured.getAttribute('data-measured')));
});

/** Computes in Node the first result of each interactive piece, from its input on the page. */
const PIECES: Readonly<Record<string, (told: never) => unknown>> = {
  pace: ({ asked }: { asked: Parameters<typeof bothWays>[0] }) => ({ asked, answers: [...bothWays(asked)] }),
  chooser: ({ asked }: { asked: Parameters<typeof choose>[0] }) => ({
    ...{ asked, chosen: choose(asked) },
    map: { rungs: chosenMap(asked.algorithm), bound: topBound(asked.algorithm) },
  }),
  cmcd: ({ asked }: { asked: Parameters<typeof ask>[0] }) => ({ asked, verdict: ask(asked) }),
  // Only the first point of the curve, because each point takes seconds.
  share: ({ asked }: { asked: Parameters<typeof curve>[0] }) => ({
    asked,
    answers: [curve(asked).next().value],
  }),
  buffer: ({ asked }: { asked: Parameters<typeof play>[0] }) => ({ asked, answers: [play(asked)] }),
};

type Told = { readonly answers?: readonly unknown[] };

function expectSameInNode(piece: string, text: string | null): void {
  const told = JSON.parse(text ?? '{}') as Told;
  const first = told.answers ? { ...told, answers: told.answers.slice(0, 1) } : told;
  const computed = JSON.parse(JSON.stringify(PIECES[piece]?.(first as never))) as Told;
  expect(first, piece).toEqual(computed);
}

test('the smaller components compute the same results as in Node', async ({ page }) => {
  await page.goto(`${site.url}/guide/live`);
  for (const piece of Object.keys(PIECES)) {
    // A component starts when it scrolls into view.
    await page.locator(`[data-piece="${piece}"]`).scrollIntoViewIfNeeded();
    const measured = page.locator(`[data-piece="${piece}"][data-measured]`);
    expectSameInNode(piece, await measured.getAttribute('data-measured', { timeout: 60_000 }));
  }
  await page.getByLabel('URL of the request').fill('https://cdn.example/a?CMCD=rtp%3D4000');
  await expect(page.locator('[data-piece="cmcd"] .live-verdict')).toContainText('Paced at 4000 kbit/s');
});

test.describe('Firefox', () => {
  const missing = missingFirefoxReason();
  // Skipped if Firefox is missing and apt may not install it.
  test.skip(missing !== null, missing ?? '');

  test('computes the same to the last digit', async ({ tab }) => {
    await tab.goto(site.url);
    await tab.waitForFunction(isTakenOver);
    const link = await tab.waitForSelector('.neighborhood input[type=range]');
    await link?.focus();
    await tab.keyboard.press('ArrowLeft');
    await tab.waitForSelector(MEASURED, { timeout: 60_000 });
    const text = await tab.evaluate(
      () => document.querySelector('[data-measured]')?.getAttribute('data-measured') ?? null,
    );
    await expectSameInLab(parseMeasured(text));

    await tab.goto(`${site.url}/guide/live`);
    for (const piece of Object.keys(PIECES)) {
      const place = await tab.waitForSelector(`[data-piece="${piece}"]`);
      await place?.evaluate((element) => element.scrollIntoView());
      const selector = `[data-piece="${piece}"][data-measured]`;
      await tab.waitForSelector(selector, { timeout: 60_000 });
      const told = await tab.$eval(selector, (element) => element.getAttribute('data-measured'));
      expectSameInNode(piece, told);
    }
  });
});

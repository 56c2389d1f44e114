import { expect } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../system/run-quietly.ts';
import { firefoxLack } from '../tools/setup/firefox.ts';
import { test } from './support/firefox.ts';
import { simulatedBy } from './support/lab-simulate.ts';
import { serveSite, type Site } from './support/serve-site.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}/docs/.vitepress/dist`;
/** All that the landing page's first picture takes; fonts are the device's own. */
const MOST_GZIP_BYTES = 150_000;
/** The live pieces put what they computed here, when all of it is there. */
const MEASURED = '[data-measured]';

interface Measured {
  readonly command: string;
  readonly sessions: readonly { readonly arm: string; readonly metrics: object }[];
}

let site: Site;
test.beforeAll(async () => {
  await runQuietly('npm', ['run', 'docs:build'], { cwd: ROOT });
  site = await serveSite(DIST);
});
test.afterAll(() => site.close());

const measuredOf = (text: string | null): Measured => JSON.parse(text ?? '{}') as Measured;

async function expectSameInLab({ command, sessions }: Measured): Promise<void> {
  expect(sessions.map(({ arm }) => arm)).toEqual(['dashjs', 'sammy', 'sammy-smooth']);
  const metrics = Object.fromEntries(sessions.map((each) => [each.arm, each.metrics]));
  expect(metrics).toEqual(await simulatedBy(command));
}

test('the landing page computes a picture of all arms, and is light', async ({ page }) => {
  site.take();
  await page.goto(site.url);
  for (const arm of [0, 1, 2])
    await expect(page.locator(`tr.neighbor td.arm-${arm} path.data`)).toHaveAttribute('d', /^M/);
  await page.waitForSelector(MEASURED);
  const sizes = site.take();
  expect([...sizes.keys()].some((path) => path.includes('worker'))).toBe(true);
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_GZIP_BYTES);
  await expect(page.locator('.verdicts td.arm-1')).toContainText(/viewer: .+; neighbor: −\d+%/);
});

test('what it computes is what its command leaves behind, also after the keys have moved a slider', async ({
  page,
}) => {
  await page.goto(site.url);
  const measured = page.locator(MEASURED);
  const before = measuredOf(await measured.getAttribute('data-measured'));
  await expectSameInLab(before);

  await page.getByLabel('Link').focus();
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowLeft');
  await page.getByLabel('a call').focus();
  await page.keyboard.press('Space');
  await expect(page.locator('.neighborhood code')).toContainText(
    'neighbour-udp --conditions buffer-240s --rate 15',
  );
  await expect(measured).toHaveAttribute(
    'data-measured',
    /neighbour-udp --conditions buffer-240s --rate 15 /,
  );
  await expectSameInLab(measuredOf(await measured.getAttribute('data-measured')));
});

test.describe('Firefox', () => {
  const lack = firefoxLack();
  test.skip(lack !== null, lack ?? '');

  test('computes the same to the last digit', async ({ tab }) => {
    await tab.goto(site.url);
    await tab.waitForSelector(MEASURED, { timeout: 60_000 });
    const text = await tab.evaluate(
      () => document.querySelector('[data-measured]')?.getAttribute('data-measured') ?? null,
    );
    await expectSameInLab(measuredOf(text));
  });
});

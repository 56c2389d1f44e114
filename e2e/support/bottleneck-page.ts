import { expect, type Page } from '@playwright/test';

/* The text and figures of the demo's page with a bottleneck (`npm start -- --bottleneck 40`). */

export const ARMS = ['stock', 'sammy'] as const;

/** Reads a figure of the page for stock dash.js and for Sammy. */
export const figures = async (page: Page, name: string) =>
  Promise.all(
    ARMS.map(async (arm) => parseFloat((await page.textContent(`#${arm} .${name}`)) ?? '')),
  ) as Promise<[number, number]>;

/**
 * Waits until the neighbor has had at least `count` responses in the turns of each player. A turn has about ten
 * responses.
 */
export async function responses(page: Page, count: number): Promise<void> {
  for (const arm of ARMS)
    await expect
      .poll(() => page.getAttribute(`#${arm} .response`, 'data-responses').then(Number), { timeout: 120_000 })
      .toBeGreaterThanOrEqual(count);
}

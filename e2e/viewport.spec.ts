import { decisions, expect, isPacedVideo, nothingThrown, play, test } from './support/fixtures.ts';

/** The bitrate of the highest rung that the viewport allows, kbit/s. */
const TOP_KBPS = 700;

// virtual/choosable.test.ts tests the other limits of the choice in virtual time, where pages have no layout.
for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: the pace follows the highest rung that a small viewport can show`, async ({
    page,
    edge,
  }) => {
    // The rungs are 128, 170, 214, 256 and 320 pixels wide.
    await page.addInitScript(() => {
      const style = document.createElement('style');
      style.textContent = 'video { width: 172px; height: 97px }';
      addEventListener('DOMContentLoaded', () => document.head.append(style));
    });
    await play(page, edge, {
      ...{ version, format: 'umd' },
      dash: { streaming: { abr: { limitBitrateByPortal: true } } },
    });
    const paces = async () =>
      (await decisions(page)).filter(isPacedVideo).flatMap(({ requested_kbps }) => requested_kbps ?? []);
    // Paces have steps of 100 kbit/s. Before the limit is known, a pace may be that of the top rung.
    const below = (pace: number) => pace <= 3.2 * TOP_KBPS + 100;
    await expect.poll(async () => (await paces()).filter(below).length).toBeGreaterThanOrEqual(3);
    const all = await paces();
    const ruled = all.slice(all.findIndex(below));
    expect(Math.max(...ruled)).toBeLessThanOrEqual(3.2 * TOP_KBPS + 100);
    expect(Math.min(...ruled)).toBeGreaterThanOrEqual(2.8 * TOP_KBPS - 100);
    await nothingThrown(page);
  });
}

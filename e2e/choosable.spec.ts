import type { Page } from '@playwright/test';
import {
  decisions,
  expect,
  isPacedVideo,
  nothingThrown,
  pacedSegments,
  play,
  test,
} from './support/fixtures.ts';

/**
 * Waits for three video segments that are paced at 3.2 times `top_kbps` at most. From the first of them on, all paces must
 * be 2.8 to 3.2 times `top_kbps`, give or take a step of 100 kbit/s.
 */
async function pacedByTop(page: Page, top_kbps: number): Promise<void> {
  const paces = async () =>
    (await decisions(page)).filter(isPacedVideo).flatMap(({ requested_kbps }) => requested_kbps ?? []);
  const below = (pace: number) => pace <= 3.2 * top_kbps + 100;
  await expect.poll(async () => (await paces()).filter(below).length).toBeGreaterThanOrEqual(3);
  const all = await paces();
  const ruled = all.slice(all.findIndex(below));
  expect(Math.max(...ruled)).toBeLessThanOrEqual(3.2 * top_kbps + 100);
  expect(Math.min(...ruled)).toBeGreaterThanOrEqual(2.8 * top_kbps - 100);
}

for (const version of ['5', '4'] as const) {
  test.describe(`dash.js ${version}: the pace follows the highest rung that can still be chosen`, () => {
    const player = { version, format: 'umd' } as const;

    test('when the viewer fixes a quality', async ({ page, edge }) => {
      await play(page, edge, player);
      await pacedSegments(page, 1);
      await page.evaluate(() => {
        const { player } = window;
        player.updateSettings({ streaming: { abr: { autoSwitchBitrate: { video: false } } } });
        player.setRepresentationForTypeByIndex?.('video', 0, true);
        player.setQualityFor?.('video', 0, true);
      });
      await pacedByTop(page, 300);
      await nothingThrown(page);
    });

    test('when a quality is fixed from the start', async ({ page, edge }) => {
      await play(page, edge, {
        ...player,
        dash: {
          streaming: { abr: { autoSwitchBitrate: { video: false }, initialBitrate: { video: 800 } } },
        },
      });
      await pacedByTop(page, 700);
      await nothingThrown(page);
    });

    test('when maxBitrate is set', async ({ page, edge }) => {
      await play(page, edge, { ...player, dash: { streaming: { abr: { maxBitrate: { video: 1500 } } } } });
      await pacedByTop(page, 1300);
      await nothingThrown(page);
    });

    test('when the viewport is small', async ({ page, edge }) => {
      // The rungs are 128, 170, 214, 256 and 320 pixels wide.
      await page.addInitScript(() => {
        const style = document.createElement('style');
        style.textContent = 'video { width: 172px; height: 97px }';
        addEventListener('DOMContentLoaded', () => document.head.append(style));
      });
      await play(page, edge, {
        ...player,
        dash: { streaming: { abr: { limitBitrateByPortal: true } } },
      });
      await pacedByTop(page, 700);
      await nothingThrown(page);
    });
  });
}

// With dash.js 4.7, Sammy's rule has a higher priority than the dropped-frames rule.
test('dash.js 5: the pace follows the rung to which the dropped-frames rule limits the player', async ({
  page,
  edge,
}) => {
  await page.addInitScript(() => {
    // Simulates a decoder that drops half of the frames.
    HTMLVideoElement.prototype.getVideoPlaybackQuality = function () {
      const frames = Math.round(this.currentTime * 24);
      return { totalVideoFrames: frames, droppedVideoFrames: frames / 2 } as VideoPlaybackQuality;
    };
  });
  await play(page, edge, {
    format: 'umd',
    dash: {
      streaming: {
        abr: { rules: { droppedFramesRule: { active: true, parameters: { minimumSampleSize: 20 } } } },
      },
    },
  });
  // The dropped-frames rule switches down step by step, whatever Sammy's rule chooses.
  const heldDown = async () =>
    (await decisions(page)).filter(isPacedVideo).filter(({ abr_reason }) => abr_reason === 'player');
  await expect.poll(async () => (await heldDown()).length).toBeGreaterThanOrEqual(2);
  for (const { bitrate_kbps, requested_kbps } of await heldDown()) {
    expect(bitrate_kbps).toBeLessThan(3300);
    expect(requested_kbps).toBeLessThanOrEqual(3.2 * bitrate_kbps + 100);
    expect(requested_kbps).toBeGreaterThanOrEqual(2.8 * bitrate_kbps - 100);
  }
  await nothingThrown(page);
});

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

/** Waits for paced video segments whose pace is 2.8 to 3.2 times `top_kbps`, in steps of 100; none above comes after. */
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
  test.describe(`dash.js ${version}: the pace goes by the highest rung that can still be chosen`, () => {
    const player = { version, format: 'umd' } as const;

    test('a quality that the viewer has fixed', async ({ page, edge }) => {
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

    test('a quality that was fixed from the start', async ({ page, edge }) => {
      await play(page, edge, {
        ...player,
        dash: {
          streaming: { abr: { autoSwitchBitrate: { video: false }, initialBitrate: { video: 800 } } },
        },
      });
      await pacedByTop(page, 700);
      await nothingThrown(page);
    });

    test('maxBitrate', async ({ page, edge }) => {
      await play(page, edge, { ...player, dash: { streaming: { abr: { maxBitrate: { video: 1500 } } } } });
      await pacedByTop(page, 1300);
      await nothingThrown(page);
    });

    test('a small viewport', async ({ page, edge }) => {
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

// In 4.7 Sammy's rule outranks it.
test('dash.js 5: what the dropped-frames rule holds the player down to', async ({ page, edge }) => {
  await page.addInitScript(() => {
    // A decoder that loses half of the frames.
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
  // It goes down step by step, whatever Sammy's rule chooses.
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

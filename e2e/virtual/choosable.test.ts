import { describe, expect, it } from 'vitest';
import { isPacedVideo, playVirtually, type VirtualSession } from './session.ts';

/**
 * Expects that all paces, starting with the first one for `top_kbps`, are 2.8 to 3.2 times `top_kbps`, with a tolerance
 * of one step of 100 kbit/s.
 */
function expectPacedByTop({ decisions, page, warnings }: VirtualSession, top_kbps: number): void {
  const paces = decisions.filter(isPacedVideo).flatMap(({ requested_kbps }) => requested_kbps ?? []);
  const ruled = paces.slice(paces.findIndex((pace) => pace <= 3.2 * top_kbps + 100));
  expect(ruled.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...ruled)).toBeLessThanOrEqual(3.2 * top_kbps + 100);
  expect(Math.min(...ruled)).toBeGreaterThanOrEqual(2.8 * top_kbps - 100);
  expect([page.errors, warnings]).toEqual([[], []]);
}

describe.each(['5', '4'] as const)(
  'dash.js %s: the pace follows the highest rung that can still be chosen',
  (version) => {
    it('when the viewer fixes a quality', () => {
      const fix = `paced(1, () => {
      player.updateSettings({ streaming: { abr: { autoSwitchBitrate: { video: false } } } });
      player.setRepresentationForTypeByIndex?.('video', 0, true);
      player.setQualityFor?.('video', 0, true);
    });`;
      expectPacedByTop(playVirtually(version, { then: fix }), 300);
    });

    it('when a quality is fixed from the start', () => {
      const abr = { autoSwitchBitrate: { video: false }, initialBitrate: { video: 800 } };
      expectPacedByTop(playVirtually(version, { settings: { streaming: { abr } } }), 700);
    });

    it('when maxBitrate is set', () => {
      const session = playVirtually(version, {
        settings: { streaming: { abr: { maxBitrate: { video: 1600 } } } },
      });
      expectPacedByTop(session, 1500);
      for (const { top_bitrate_kbps, bitrate_kbps } of session.decisions.filter(isPacedVideo)) {
        expect(top_bitrate_kbps).toBe(1500);
        expect(bitrate_kbps).toBeLessThanOrEqual(1500);
      }
    });
  },
);

// Only for dash.js 5, because with dash.js 4.7 Sammy's rule has a higher priority than the dropped-frames rule.
it('dash.js 5: the pace follows the rung to which the dropped-frames rule limits the player', () => {
  const rules = { droppedFramesRule: { active: true, parameters: { minimumSampleSize: 20 } } };
  const { decisions, page } = playVirtually('5', {
    // Simulates a decoder that drops half of the frames.
    before: `video.getVideoPlaybackQuality = () => {
      const frames = Math.round(video.currentTime * 24);
      return { totalVideoFrames: frames, droppedVideoFrames: frames / 2 };
    };`,
    settings: { streaming: { abr: { rules } } },
  });
  // The dropped-frames rule switches down step by step, whatever Sammy's rule chooses.
  const heldDown = decisions.filter(isPacedVideo).filter(({ abr_reason }) => abr_reason === 'player');
  expect(heldDown.length).toBeGreaterThanOrEqual(2);
  for (const { bitrate_kbps, requested_kbps } of heldDown) {
    expect(bitrate_kbps).toBeLessThan(3300);
    expect(requested_kbps).toBeLessThanOrEqual(3.2 * bitrate_kbps + 100);
    expect(requested_kbps).toBeGreaterThanOrEqual(2.8 * bitrate_kbps - 100);
  }
  expect(page.errors).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { smooth } from '../pace/smooth.ts';
import { simulate } from '../testing/simulate.ts';

/** dash.js's own `fragmentRequestTimeout`. */
const TIMEOUT_S = 20;

describe.each([
  ['sizes known', true],
  ['sizes unknown', false],
])('segments of 10 s with smooth(), %s', (_, sizesKnown) => {
  it.each([0.25, 0.5, 1, 2])(
    'come well within the timeout of a player at %s times the speed, at the rungs of an unpaced session',
    (playbackRate) => {
      const film = {
        content_s: 600,
        segment_s: 10,
        playbackRate,
        requestTimeout_s: TIMEOUT_S,
        sizesKnown,
        capacity: () => 40_000,
      };
      const { segments, stalled_s } = simulate({ ...film, options: { pace: smooth() } });
      const unpaced = simulate({ ...film, options: { pacing: false } });

      const took_s = segments.flatMap(({ requested_kbps, size_bytes = NaN }) =>
        requested_kbps === null ? [] : [(size_bytes * 8) / 1000 / requested_kbps],
      );
      expect(took_s.length).toBeGreaterThan(50);
      // Of a segment of unknown size no more is known than its bitrate; the simulated film's largest is 1.5 times that.
      expect(Math.max(...took_s)).toBeLessThanOrEqual(0.4 * TIMEOUT_S * (sizesKnown ? 1 : 1.5));
      expect(stalled_s).toBe(0);
      expect(
        segments.filter(({ bitrate_kbps }, index) => {
          const without = unpaced.segments[index]?.bitrate_kbps;
          return without === undefined || bitrate_kbps < without;
        }),
      ).toEqual([]);
    },
  );
});

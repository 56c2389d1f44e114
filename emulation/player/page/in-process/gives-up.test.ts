import { describe, expect, it } from 'vitest';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import type { RateStep } from '../../../network/links/link.ts';
import { scheduledRate } from '../../../network/virtual/rounds/rates.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { playPage, type PageSession } from './play-page.ts';

/** Long enough for all attempts of each player at a download. */
const SECONDS = 600;
const film = filmFor(bigBuckBunny, SECONDS);
const session = (arm: string, steps: readonly RateStep[]): PageSession => ({
  ...{ arm, sammy: {}, film, seconds: SECONDS },
  network: { capacity: scheduledRate(steps), rtt_ms: 40, queue_bytes: 100_000 },
});

const OUTAGE: RateStep = { seconds: SECONDS, mbps: 0 };

describe.each([
  // Which request fails last depends on the rung at which the outage begins.
  ['hlsjs', 'hlsjs-sammy', /^(?:frag|level)LoadTimeOut$/],
  ['shaka', 'shaka-sammy', /^TIMEOUT$/],
  ['dashjs', 'sammy-careful', /^DOWNLOAD_ERROR_ID_CONTENT$/],
])('%s without a network', (control, treatment, error) => {
  it.each([control, treatment])(
    'ends %s with an error, and is stalled until the end of the session',
    (arm) => {
      const { player_error, summary, playback } = playPage(session(arm, [{ seconds: 10, mbps: 4 }, OUTAGE]));
      expect(player_error).toMatch(error);
      expect(playback.at(-1)?.event).toBe('waiting');
      const { played_s, play_delay_ms, rebuffer_count, rebuffer_ratio } = summary;
      expect(rebuffer_count).toBe(1);
      const stalled_s = SECONDS - (play_delay_ms ?? NaN) / 1000 - played_s;
      expect(stalled_s).toBeGreaterThan(SECONDS / 2);
      // The playhead is sampled four times a second.
      expect(Math.abs(rebuffer_ratio - stalled_s / (stalled_s + played_s))).toBeLessThan(0.005);
    },
  );

  it('ends a session before playback has started', () => {
    // The manifest arrives, but no segment does.
    const { player_error, summary } = playPage(session(control, [{ seconds: 0.2, mbps: 2 }, OUTAGE]));
    expect(player_error).toMatch(error);
    expect(summary.play_delay_ms).toBeNull();
  });
});

it('is no error if the network returns before the player gives up', () => {
  const steps = [10, 5, SECONDS].map((seconds, index) => ({ seconds, mbps: index === 1 ? 0 : 4 }));
  expect(playPage({ ...session('shaka', steps), seconds: 40 })).not.toHaveProperty('player_error');
});

it.each(['shaka', 'dashjs'])(
  'throws an error if the server does not have the segments that %s needs',
  (arm) => {
    const { representations } = film.sidecar;
    const without = Object.entries(representations).map(([id, each]) => [
      id,
      { ...each, segment_bytes: each.segment_bytes.slice(0, 3) },
    ]);
    const incomplete = {
      ...film,
      sidecar: { ...film.sidecar, representations: Object.fromEntries(without) as typeof representations },
    };
    const asked = session(arm, [{ seconds: SECONDS, mbps: 4 }]);
    expect(() => playPage({ ...asked, film: incomplete, seconds: 60 })).toThrow('the player reports: ');
  },
);

import { describe, expect, it } from 'vitest';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { constantRate } from '../../../network/virtual/rounds/rates.ts';
import { playPage, type PageSession } from './play-page.ts';

const SECONDS = 30;
const film = filmFor(bigBuckBunny, SECONDS);
const session = (arm: string): PageSession => ({
  ...{ arm, sammy: {}, film, seconds: SECONDS },
  network: { capacity: constantRate(40), rtt_ms: 5, queue_bytes: 100_000 },
});

describe('Shaka Player in a page in process', () => {
  it("plays from the manifest at the link's speed, up to the top rung", () => {
    const { summary, decisions } = playPage(session('shaka'));
    expect(summary.rebuffer_count).toBe(0);
    expect(summary.chunk_throughput_kbps).toBeGreaterThan(30_000);
    const video = decisions.filter(({ media_type }) => media_type === 'video');
    expect(video[0]).toMatchObject({ abr_reason: 'player', requested_kbps: null });
    expect(video.at(-1)).toMatchObject({ representation: 'v3300', requested_kbps: null });
  });

  it('is paced by the arm with the plug-in', () => {
    const { summary, decisions } = playPage(session('shaka-sammy'));
    const paced = decisions.filter(({ phase, media_type }) => phase === 'playing' && media_type === 'video');
    expect(paced.length).toBeGreaterThan(10);
    for (const { requested_kbps, applied_kbps } of paced)
      expect(applied_kbps).toBe(Math.ceil((requested_kbps ?? NaN) / 100) * 100);
    expect(summary).toMatchObject({ rebuffer_count: 0, pacing_honored: 'yes' });
  });

  it('ends a session before playback has started', () => {
    const network = { ...session('shaka').network, capacity: constantRate(0.02) };
    const { summary } = playPage({ ...session('shaka'), network, seconds: 3 });
    expect(summary.play_delay_ms).toBeNull();
  });

  it('is identical when repeated', () => {
    expect(playPage(session('shaka-sammy'))).toEqual(playPage(session('shaka-sammy')));
  });
});

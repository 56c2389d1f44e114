import { describe, expect, it } from 'vitest';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { constantRate } from '../../../network/virtual/rounds/rates.ts';
import { playPage, type PageSession } from './play-page.ts';

const SECONDS = 30;
const film = filmFor(bigBuckBunny, SECONDS);
const session = (arm: string, mbps = 40): PageSession => ({
  ...{ arm, sammy: {}, film, seconds: SECONDS },
  network: { capacity: constantRate(mbps), rtt_ms: 5, queue_bytes: 100_000 },
});

describe('dash.js in a page in process', () => {
  it("plays on a fast link at the top rung, at the link's speed", () => {
    const { summary, playback, decisions, playingAt_ms } = playPage(session('dashjs'));
    expect(summary).toMatchObject({ rebuffer_count: 0, switches: 0 });
    expect(summary.mean_bitrate_kbps).toBeCloseTo(3300, 6);
    // A segment of 2 s at 3300 kbit/s takes 165 ms at 40 Mbit/s. Slow start adds about 30 ms: 34 Mbit/s on average.
    expect(summary.chunk_throughput_kbps).toBeGreaterThan(30_000);
    expect(summary.chunk_throughput_kbps).toBeLessThan(40_000);
    expect(playback.map(({ event }) => event)).toEqual(['waiting', 'playing']);
    // Playback needs the manifest, the initialization segment and a first segment of 0.2 MB (at 700 kbit/s) at 40 Mbit/s,
    // with at least three round trips.
    expect(playingAt_ms).toBeGreaterThan(3 * 5 + (0.2e6 * 8) / 40e3);
    expect(playingAt_ms).toBeLessThan(300);
    const [first, ...others] = decisions
      .filter(({ media_type }) => media_type === 'video')
      .map((each) => each.segment_start_s);
    expect(first).toBe(0);
    // Fast switch downloads the first segment again. The buffer of 30 s is full at the end of the session of 30 s.
    expect(others).toEqual(Array.from({ length: others.length }, (_, index) => 2 * index));
    expect(others.length).toBeGreaterThanOrEqual(29);
  });

  it('is identical when repeated', () => {
    expect(playPage(session('sammy-paper'))).toEqual(playPage(session('sammy-paper')));
  });

  it('requests a pace, and is paced', () => {
    const { decisions } = playPage(session('sammy-paper'));
    const paced = decisions.filter(({ phase, media_type }) => phase === 'playing' && media_type === 'video');
    expect(paced.length).toBeGreaterThan(10);
    for (const { requested_kbps, applied_kbps } of paced) {
      expect(requested_kbps).toBeGreaterThan(3300);
      // CMCD's `rtp` has steps of 100 kbit/s.
      expect(applied_kbps).toBe(Math.ceil((requested_kbps ?? NaN) / 100) * 100);
    }
  });

  it('requests the first video segment before the first audio segment, over the more used connection', () => {
    const { network, ...others } = session('dashjs', 5);
    const { decisions } = playPage({ ...others, network: { ...network, rtt_ms: 20 } });
    const first = (type: string) => decisions.find(({ media_type }) => media_type === type);
    const [video, audio] = [first('video'), first('audio')];
    // In six sessions in Chromium, the first audio segment was requested 8 to 77 ms after the first video segment.
    const later_ms = (audio?.at_ms ?? NaN) - (video?.at_ms ?? NaN);
    expect(later_ms).toBeGreaterThan(8);
    expect(later_ms).toBeLessThan(77);
    expect(video?.cwnd_packets).toBeGreaterThan(audio?.cwnd_packets ?? Infinity);
  });

  it('stalls if the link is slower than the lowest rung', () => {
    const { summary, playback } = playPage(session('dashjs', 0.25));
    expect(summary.mean_bitrate_kbps).toBeLessThan(1000);
    expect(summary.rebuffer_ratio).toBeGreaterThan(0.1);
    expect(playback.filter(({ event }) => event === 'waiting').length).toBeGreaterThan(1);
  });
});

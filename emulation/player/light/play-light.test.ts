import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandler } from '../../../edge/handler.ts';
import { startEdge, type Edge } from '../../../edge/local/server.ts';
import { plainResponse, type Origin } from '../../../edge/origin.ts';
import { paceLimits } from '../../../edge/policy.ts';
import { rebufferedUntil, analyzePlayback } from '../../studies/export/stalls.ts';
import type { Play } from '../records/play.ts';
import { vbrFilm } from '../model/testing/vbr-film.ts';
import { playLight, playSession } from './play-light.ts';

const SECONDS = 6;
const { sidecar } = vbrFilm(60);
/** The sidecar as `npm run media` writes it, with the media type and the bitrate of each representation. */
const document = {
  ...sidecar,
  representations: Object.fromEntries(
    Object.entries(sidecar.representations).map(([id, { segment_bytes }]) => [
      id,
      { media: 'video', bitrate_kbps: Number(id), segment_bytes },
    ]),
  ),
};
const top_kbps = Math.max(...Object.keys(sidecar.representations).map(Number));

/** Serves segments of zeros with the sizes from the sidecar. */
const origin: Origin = (request) => {
  const { pathname } = new URL(request.url);
  const [, id = '', name = ''] = /^\/film\/(\w+)\/(.+)\.(?:m4s|mp4)$/.exec(pathname) ?? [];
  if (pathname === '/film/quality.json') return Promise.resolve(Response.json(document));
  if (pathname === '/film/manifest.mpd') return Promise.resolve(new Response('<MPD/>'));
  const size = name === 'init' ? 1000 : sidecar.representations[id]?.segment_bytes[Number(name) - 1];
  return Promise.resolve(
    size === undefined ? plainResponse(404, 'there is no such segment') : new Response(new Uint8Array(size)),
  );
};

let edge: Edge;
let play: Play;

beforeAll(async () => {
  edge = await startEdge({
    handler: createHandler({ origin, limits: paceLimits() }),
    host: '127.0.0.1',
    congestionControl: 'reno',
  });
  const film = `http://127.0.0.1:${edge.port}/film`;
  play = {
    ...{ arm: 'sammy-paper', sammy: {}, seconds: SECONDS },
    manifest: `${film}/manifest.mpd`,
    sidecar: `${film}/quality.json`,
  };
});

afterAll(() => edge.close());

/** The unit of timers in Linux's socket tables is a hundredth of a second (`USER_HZ`). */
const TICKS_PER_S = 100;
/** The code of the keep-alive timer in /proc/net/tcp. */
const KEEP_ALIVE_TIMER = '02';

/**
 * The time until the next keep-alive probe of the connection to `port` of 127.0.0.1, s; NaN if no probe is scheduled.
 */
function keepAlive_s(port: number): number {
  const server = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const columns = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, , remote]) => remote === server);
  const [timer, ticks = ''] = columns?.[5]?.split(':') ?? [];
  return timer === KEEP_ALIVE_TIMER ? parseInt(ticks, 16) / TICKS_PER_S : NaN;
}

describe('a light viewer', () => {
  it('plays in real time over real TCP, paced by the edge as the core requests', async () => {
    let began = 0;
    const since = performance.now();
    const played = await playLight(play, () => (began += 1));
    expect((performance.now() - since) / 1000).toBeGreaterThan(SECONDS - 0.1);
    expect(began).toBe(1);
    const { summary, decisions, buffer, playback, playingAt_ms, requestedAt_ms, errors } = played;
    expect(errors).toEqual([]);
    expect((playingAt_ms ?? NaN) - requestedAt_ms).toBeCloseTo(summary.play_delay_ms ?? NaN, 0);
    // A busy machine may cause stalls, but only with an empty buffer, and each stall must be counted.
    for (const { event, buffer_s } of playback) if (event === 'waiting') expect(buffer_s).toBeLessThan(0.1);
    const story = analyzePlayback(playback, SECONDS);
    expect(summary.rebuffer_count).toBe(story.stalls.length);
    // The loopback interface is much faster than the top rung.
    expect(Math.max(...decisions.map(({ bitrate_kbps }) => bitrate_kbps))).toBe(top_kbps);
    const paced = decisions.filter(
      ({ requested_kbps, outcome }) => requested_kbps && outcome === 'completed',
    );
    expect(paced.length).toBeGreaterThan(0);
    // Not every download is limited by its pace, because a busy machine is sometimes slower than the pace.
    expect(paced.some(({ pace_limited }) => pace_limited)).toBe(true);
    for (const { applied_kbps, requested_kbps, achieved_kbps } of paced) {
      expect(applied_kbps).toBe(requested_kbps);
      expect(achieved_kbps).toBeLessThan(1.5 * (requested_kbps ?? NaN));
    }
    // The buffer contains the received content that has not been played yet.
    const arrived_s = decisions
      .filter(({ outcome }) => outcome === 'completed')
      .reduce((end_s, each) => Math.max(end_s, each.segment_start_s + each.segment_duration_s), 0);
    const [t_s = NaN, buffer_s = NaN] = buffer.at(-1) ?? [];
    const played_s = t_s - rebufferedUntil(story, t_s);
    expect(buffer_s + played_s).toBeCloseTo(arrived_s, 0);
  }, 30_000);

  it('plays like stock dash.js, unpaced', async () => {
    const { decisions, summary } = await playLight({ ...play, arm: 'dashjs', seconds: 2 }, () => undefined);
    expect(summary.play_delay_ms).toBeGreaterThan(0);
    expect(decisions.length).toBeGreaterThan(2);
    for (const { requested_kbps, applied_kbps, abr_reason } of decisions.filter(
      ({ outcome }) => outcome === 'completed',
    ))
      expect({ requested_kbps, applied_kbps, abr_reason }).toEqual({
        requested_kbps: null,
        applied_kbps: null,
        abr_reason: 'player',
      });
  }, 30_000);

  it('leaves at the end, or when patience runs out, even if the server never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const { port } = silent.address() as AddressInfo;
      const session = { arm: { sammy: { pacing: true } }, film: vbrFilm(60), seconds: 0.2 };
      const played = await playSession(session, `http://127.0.0.1:${port}/manifest.mpd`);
      expect(played).toMatchObject({ playingAt_ms: null, decisions: [], summary: { play_delay_ms: null } });
      const patience = { start_s: 0.1, leaving_per_s: 10, lost_per_stalled_s: 5 };
      const impatient = { ...session, seconds: 3600, patience, rank: 0.5 };
      // The viewer leaves after 0.15 s; otherwise this would take an hour.
      const left = await playSession(impatient, `http://127.0.0.1:${port}/manifest.mpd`);
      expect(left).toMatchObject({ playingAt_ms: null, summary: { play_delay_ms: null, played_s: 0 } });
    } finally {
      silent.close();
    }
  }, 30_000);

  it('survives an outage as a browser does: probes the connection only after 45 s', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const session = { arm: { sammy: {} }, film: vbrFilm(60), seconds: 4 };
    const playing = playSession(session, `http://127.0.0.1:${port}/manifest.mpd`);
    try {
      await once(silent, 'connection');
      // By default, Node's agent would probe after one second. Until the request is acknowledged, the timer is another one.
      await expect.poll(() => keepAlive_s(port), { timeout: 3500 }).toBeGreaterThan(40);
    } finally {
      await playing;
      silent.close();
    }
  }, 30_000);

  it('reports a failed request in one line', async () => {
    const elsewhere = { ...play, manifest: play.manifest.replace('/film/', '/nowhere/') };
    await expect(playLight(elsewhere, () => undefined)).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+\/nowhere\/manifest\.mpd: HTTP 404$/,
    );
  });
});

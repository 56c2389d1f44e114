import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bigBuckBunny } from '../../../media/films/big-buck-bunny.ts';
import { filmFor } from '../model/player/film-for.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { constantRate } from '../../network/virtual/rounds/rates.ts';
import { VirtualLink } from './in-process/virtual-link.ts';
import { packaged } from './lab/scripts.ts';
import { openPage } from './open-page.ts';

const SECONDS = 30;
const film = filmFor(bigBuckBunny, SECONDS);

/** Runs a script after dash.js in a page for 30 s. Returns the page, and the URLs that it requested. */
function play(dashjs: string, script: string, mbps = 40, media = {}) {
  const network = { capacity: constantRate(mbps), rtt_ms: 5, queue_bytes: 100_000 };
  const link = new VirtualLink({ network, film });
  const asked: URL[] = [];
  const page = openPage({
    clock: link.clock,
    wire: {
      ask: (request, listener) => {
        asked.push(new URL(request.url));
        return link.wire.ask(request, listener);
      },
    },
    ...{ url: 'http://film.example/', opened_ms: 1.7e12, random: seededRandom(1), media },
    globals: { console: { log: () => undefined, warn: () => undefined, error: () => undefined } },
  });
  const { code, filename } = packaged(dashjs);
  page.load(code, filename);
  page.load(script, 'session.js');
  let over = false;
  link.clock.at(SECONDS * 1000, () => (over = true));
  link.run(() => over, SECONDS * 1000);
  return { page, asked, video: page.window.video as HTMLVideoElement };
}

/** Builds the plug-in for a script tag. It supports dash.js 4.7 and 5. */
const plugIn = () =>
  buildSync({
    entryPoints: [fileURLToPath(new URL('../../../src/dashjs-4.ts', import.meta.url))],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'dashjsSammy', target: 'es2022' },
  }).outputFiles[0]?.text ?? '';

const PLAY = `
  window.video = document.createElement('video');
  window.player = dashjs.MediaPlayer().create();
  player.initialize(video, 'http://film.example/manifest.mpd', true);
`;

describe.each(['dashjs', 'dashjs-v5.1', 'dashjs-v4'])('%s, stock and unmodified', (dashjs) => {
  it('fetches the segments once, in order, and plays them', () => {
    const { page, asked: urls, video } = play(dashjs, PLAY);
    const asked = urls.map(({ pathname }) => pathname);
    expect(asked[0]).toBe('/manifest.mpd');
    expect(asked.slice(1, 3).sort()).toEqual(['/a96/init.mp4', '/v700/init.mp4']);
    const numbers = (of: RegExp) => asked.map((path) => of.exec(path)?.[1]).filter((it) => it !== undefined);
    const sound = numbers(/^\/a96\/(\d+)/).map(Number);
    expect(sound).toEqual(Array.from({ length: sound.length }, (_, index) => index + 1));
    // The numbers of the top rung's segments are consecutive, too, whatever the first one is.
    const [first = NaN, ...rest] = numbers(/^\/v3300\/(\d+)/).map(Number);
    expect(rest).toEqual(Array.from({ length: rest.length }, (_, index) => first + 1 + index));
    // The play delay is below one second.
    expect(video.currentTime).toBeGreaterThan(SECONDS - 1);
    expect(video.currentTime).toBeLessThan(SECONDS);
    expect(page.errors).toEqual([]);
  });

  it('is paced by the plug-in', () => {
    const { page, asked } = play(
      dashjs,
      `${plugIn()};${PLAY} window.sammy = dashjsSammy.attachSammy(player);`,
    );
    const rates = asked.map(({ search }) => Number(/rtp%3D(\d+)/.exec(search)?.[1] ?? NaN));
    // In the initial phase, requests have no `rtp`; afterwards, every segment has one, which is at least the top rung's
    // bitrate.
    expect(rates.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => NaN));
    const paced = rates.filter((rate) => rate >= 3300);
    expect(paced.length).toBeGreaterThan(10);
    expect(page.errors).toEqual([]);
  });
});

describe('a page', () => {
  it('seeks, and continues there', () => {
    const { asked, video } = play('dashjs', `${PLAY} setTimeout(() => player.seek(200), 10_000);`);
    expect(asked.map(({ pathname }) => pathname)).toContain('/v3300/101.m4s');
    expect(video.currentTime).toBeGreaterThan(200 + SECONDS - 10 - 1);
    expect(video.currentTime).toBeLessThan(200 + SECONDS - 10);
  });

  it('refuses data above the quota, so that dash.js uses a shorter buffer', () => {
    // The top rung has 3300 kbit/s, or 0.41 MB per second, so 6 MB hold less than 15 s.
    const { video } = play('dashjs', PLAY, 40, { video_bytes: 6e6 });
    expect(video.currentTime).toBeGreaterThan(SECONDS - 1);
    expect(video.buffered.end(0) - video.currentTime).toBeLessThan(16);
  });

  it('pauses', () => {
    const { video } = play('dashjs', `${PLAY} setTimeout(() => player.pause(), 10_000);`);
    expect(video.paused).toBe(true);
    expect(video.currentTime).toBeGreaterThan(9);
    expect(video.currentTime).toBeLessThan(10);
  });

  it('fetches complete bodies and streams, and aborts', () => {
    const { page } = play(
      'dashjs',
      `
      window.seen = {};
      fetch('/manifest.mpd').then((response) => response.text()).then((text) => (seen.manifest = text.length));
      fetch('/v3300/1.m4s').then(async (response) => {
        const reader = response.body.getReader();
        seen.pieces = 0;
        seen.bytes = 0;
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          seen.pieces += 1;
          seen.bytes += read.value.length;
        }
        seen.entry = performance.getEntriesByType('resource').at(-1);
      });
      const ending = new AbortController();
      fetch('/v3300/2.m4s', { signal: ending.signal }).then((response) => response.text()).catch((error) => (seen.error = error.name));
      setTimeout(() => ending.abort(), 100);
      fetch('/nothing').then((response) => (seen.status = response.status));
      `,
    );
    const bytes = film.sidecar.representations.v3300?.segment_bytes[0];
    const seen = page.window.seen as { entry: PerformanceEntry; pieces: number };
    expect(seen).toMatchObject({ bytes, error: 'AbortError', status: 404 });
    // 0.8 MB at half of 40 Mbit/s arrive in several pieces, because progress is reported every 50 ms.
    expect(seen.pieces).toBeGreaterThan(2);
    expect(seen.entry).toMatchObject({ name: 'http://film.example/v3300/1.m4s', encodedBodySize: bytes });
    expect(seen.entry.duration).toBeGreaterThan((8 * (bytes ?? NaN)) / 40e3);
  });

  it('times requests out', () => {
    const { page } = play(
      'dashjs',
      `
      const request = new XMLHttpRequest();
      window.seen = [];
      for (const type of ['loadstart', 'progress', 'load', 'timeout', 'loadend'])
        request.addEventListener(type, () => seen.push(type + ' ' + Math.round(performance.now())));
      request.open('GET', '/v3300/1.m4s');
      request.timeout = 100;
      request.send();
      `,
      0.5,
    );
    const seen = page.window.seen as string[];
    expect(seen.at(0)).toBe('loadstart 0');
    expect(seen.slice(-2)).toEqual(['timeout 100', 'loadend 100']);
  });

  it('shares nothing with another page', () => {
    play('dashjs', "Array.prototype.leaked = 1; window.leak = 1; localStorage.setItem('a', 'b');");
    const { page } = play(
      'dashjs',
      "window.seen = [[].leaked, typeof leak, localStorage.getItem('a'), new Date().getTime(), [] instanceof Array];",
    );
    expect(page.window.seen).toEqual([undefined, 'undefined', null, 1.7e12, true]);
    expect('leaked' in []).toBe(false);
  });
});

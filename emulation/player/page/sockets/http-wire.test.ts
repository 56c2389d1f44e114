import { once } from 'node:events';
import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { RealClock } from '../clocks/real-clock.ts';
import { FilmServer } from '../in-process/film-server.ts';
import { packaged } from '../lab/scripts.ts';
import { openPage } from '../open-page.ts';
import { HttpWire } from './http-wire.ts';

const film = new FilmServer(filmFor(bigBuckBunny, 60));
let server: Server;
let agent: Agent;
let url = '';
beforeEach(async () => {
  server = createServer((request, response) => {
    const file = film.get(request.url ?? '');
    const body = Buffer.alloc(file?.size_bytes ?? 0);
    body.set(file?.begins ?? []);
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type, 'content-length': body.length });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  agent = new Agent({ keepAlive: true });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  agent.destroy();
  server.close();
});

const pageOf = () =>
  openPage({
    ...{ clock: new RealClock(), wire: new HttpWire(agent), url, opened_ms: Date.now(), random: Math.random },
    globals: { console: { log: () => undefined, warn: () => undefined, error: () => undefined } },
  });

/** Waits, a few seconds at most. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let waits = 0; waits < 200 && !isTrue(); waits++) await sleep(50);
}

describe('a page over sockets', () => {
  it('plays the film in real time', async () => {
    const page = pageOf();
    const { code, filename } = packaged('dashjs');
    page.load(code, filename);
    page.load(
      `window.video = document.createElement('video');
      window.player = dashjs.MediaPlayer().create();
      player.initialize(video, location.href + 'manifest.mpd', true);`,
      'session.js',
    );
    const video = page.window.video as HTMLVideoElement;
    await until(() => video.currentTime > 1);
    expect(video.currentTime).toBeGreaterThan(1);
    expect(video.buffered.end(0)).toBeGreaterThanOrEqual(2);
    expect(page.errors).toEqual([]);
    page.load('player.destroy();', 'end.js');
  });

  it('gets bodies whole, and hears of a server that is not there', async () => {
    const page = pageOf();
    page.load(
      `window.seen = {};
      fetch('/v700/1.m4s').then((response) => response.arrayBuffer()).then((whole) => {
        seen.bytes = whole.byteLength;
        seen.begins = String.fromCharCode(...new Uint8Array(whole).subarray(4, 8));
      });
      fetch('http://127.0.0.1:1/').catch((error) => (seen.error = error.message));`,
      'session.js',
    );
    const seen = page.window.seen as Record<string, unknown>;
    await until(() => Object.keys(seen).length === 3);
    const bytes = bigBuckBunny.representations.v700?.segment_bytes[0];
    expect(seen).toEqual({ bytes, begins: 'moof', error: 'Failed to fetch' });
  });
});

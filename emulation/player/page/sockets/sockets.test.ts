import { once } from 'node:events';
import { Agent, createServer, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../../edge/local/self-signed.ts';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { RealClock } from '../clocks/real-clock.ts';
import { FilmServer } from '../in-process/film-server.ts';
import { packaged } from '../lab/scripts.ts';
import type { Wire } from '../network/wire.ts';
import { openPage } from '../open-page.ts';
import { HttpWire } from './http-wire.ts';
import { Http2Wire } from './http2-wire.ts';

const film = new FilmServer(filmFor(bigBuckBunny, 60));
let closing: (() => void)[] = [];
let connections = 0;
afterEach(() => {
  for (const close of closing) close();
  closing = [];
  connections = 0;
});

/** Answers requests by HTTP/1.1 and by HTTP/2. */
function answer(
  request: { readonly url?: string | undefined },
  response: ServerResponse | Http2ServerResponse,
): void {
  const file = film.get(request.url ?? '');
  const body = Buffer.alloc(file?.size_bytes ?? 0);
  body.set(file?.begins ?? []);
  response.writeHead(file ? 200 : 404, {
    ...{ 'content-type': file?.type ?? 'text/plain', 'content-length': body.length },
  });
  response.end(body);
}

async function listen(server: Server, scheme: string): Promise<string> {
  server.listen(0, '127.0.0.1');
  server.on('connection', () => connections++);
  await once(server, 'listening');
  closing.push(() => server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** For each protocol, a wire and the address of its server. */
const WIRES = {
  'HTTP/1.1': async () => {
    const agent = new Agent({ keepAlive: true });
    closing.push(() => agent.destroy());
    return { wire: new HttpWire(agent), url: await listen(createServer(answer), 'http') };
  },
  'HTTP/2': async () => {
    const server = createSecureServer(await selfSigned(), answer);
    const sessions: ServerHttp2Session[] = [];
    server.on('session', (session) => sessions.push(session));
    closing.push(() => {
      for (const session of sessions) session.destroy();
    });
    return { wire: new Http2Wire(), url: await listen(server, 'https') };
  },
};

const openAt = ({ wire, url }: { readonly wire: Wire; readonly url: string }) =>
  openPage({
    ...{ clock: new RealClock(), wire, url, opened_ms: Date.now(), random: Math.random },
    globals: { console: { log: () => undefined, warn: () => undefined, error: () => undefined } },
  });

/** Waits for a condition, for at most ten seconds. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let waits = 0; waits < 200 && !isTrue(); waits++) await sleep(50);
}

describe.each(Object.entries(WIRES))('a page over sockets, %s', (protocol, open) => {
  it('plays in real time', async () => {
    const page = openAt(await open());
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
    if (protocol === 'HTTP/2') expect(connections).toBe(1);
    page.load('player.destroy();', 'end.js');
  });

  it('receives complete bodies, and reports an unreachable server', async () => {
    const page = openAt(await open());
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

it.each([
  ['without an error', 0],
  ['with one', 7],
])('fails a request whose HTTP/2 stream the server resets before a response, %s', async (_, code) => {
  const server = createSecureServer(await selfSigned());
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.close(code);
  });
  server.on('session', (session) => closing.push(() => session.destroy()));
  const url = await listen(server, 'https');
  const heard: string[] = [];
  new Http2Wire().ask(
    { url, method: 'GET', headers: new Map(), body: undefined, initiator: 'fetch' },
    {
      began: () => heard.push('begins'),
      arrived: () => heard.push('arrived'),
      ended: () => heard.push('ended'),
      failed: () => heard.push('failed'),
    },
  );
  await until(() => heard.length > 0);
  expect(heard).toEqual(['failed']);
});

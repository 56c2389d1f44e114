import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { milliseconds } from '../../src/units.ts';
import { fetchAsSent } from './fetch-as-sent.ts';

const closing: Server[] = [];
afterEach(() => {
  for (const server of closing.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function origin(serve: RequestListener): Promise<string> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  closing.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const get = (url: string, init?: RequestInit): Promise<Response> =>
  fetchAsSent(new Request(url, init), milliseconds(5000));

describe('fetchAsSent', () => {
  it('passes on a compressed body unchanged, with its length', async () => {
    const packed = gzipSync('media '.repeat(1000));
    const url = await origin((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': packed.length }).end(packed),
    );
    const answer = await get(url);
    expect(answer.headers.get('Content-Encoding')).toBe('gzip');
    expect(answer.headers.get('Content-Length')).toBe(String(packed.length));
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(packed);
  });

  it('ignores unrequested interim responses', async () => {
    const url = await origin((_, response) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end('media');
    });
    expect(await (await get(url)).text()).toBe('media');
  });

  it.each([204, 205, 304])('has no body with status %i', async (status) => {
    const url = await origin((_, response) => response.writeHead(status, { ETag: '"e"' }).end());
    const answer = await get(url);
    expect([answer.status, answer.body, answer.headers.get('ETag')]).toEqual([status, null, '"e"']);
  });

  it('sends the given headers, and a User-Agent', async () => {
    let seen: IncomingMessage | undefined;
    const url = await origin((message, response) => {
      seen = message;
      response.end();
    });
    await get(url, { method: 'HEAD', headers: { Range: 'bytes=0-9', Accept: 'video/mp4' } });
    expect(seen?.method).toBe('HEAD');
    expect(seen?.headers).toMatchObject({
      range: 'bytes=0-9',
      accept: 'video/mp4',
      'user-agent': 'dashjs-sammy-edge',
    });
  });

  it('rejects if the origin disconnects in the headers or the body', async () => {
    await expect(get(await origin((message) => message.socket.destroy()))).rejects.toThrow();
    const url = await origin((message, response) => {
      response.writeHead(200, { 'Content-Length': 10 });
      response.write('half');
      setTimeout(() => message.socket.destroy(), 20);
    });
    await expect((await get(url)).text()).rejects.toThrow();
  });

  it("aborts with the request's signal, and closes the connection of an unread body", async () => {
    const closed: Promise<unknown>[] = [];
    const url = await origin((message, response) => {
      closed.push(once(message.socket, 'close'));
      response.write('x');
    });
    const abort = new AbortController();
    const aborted = await get(url, { signal: abort.signal });
    const text = aborted.text();
    abort.abort();
    await expect(text).rejects.toThrow();
    await (await get(url)).body?.cancel();
    await Promise.all(closed);
  });

  /**
   * Sends two requests to an origin whose connection calls `second` at its second request. Returns the second answer,
   * and the number of requests that the origin received.
   */
  async function afterKept(second: (socket: Socket) => void) {
    let requests = 0;
    const server = createTcpServer((socket: Socket) => {
      socket.on('error', () => undefined);
      let asked = 0;
      socket.on('data', () => {
        requests += 1;
        asked += 1;
        if (asked === 2) second(socket);
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nmedia');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await (await get(url)).text()).toBe('media');
    // The connection can be reused when the body's end has been processed.
    await new Promise((resolve) => setImmediate(resolve));
    const answer = await get(url).then(
      (response) => response.text(),
      () => 'an error',
    );
    server.close();
    return { answer, requests };
  }

  it('retries if a reused connection was closed, but not after an invalid response', async () => {
    expect(await afterKept((socket) => socket.resetAndDestroy())).toEqual({ answer: 'media', requests: 3 });
    const nonsense = await afterKept((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(nonsense).toEqual({ answer: 'an error', requests: 2 });
  });
});

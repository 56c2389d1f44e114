import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHandler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { startEdge, type Edge } from './server.ts';

let edge: Edge;
let asked: string[];
beforeEach(async () => {
  asked = [];
  const origin = ({ url }: Request) => {
    asked.push(new URL(url).pathname);
    return Promise.resolve(new Response('media', { headers: { 'Content-Length': '5' } }));
  };
  edge = await startEdge({ handler: createHandler({ origin, limits: paceLimits() }) });
});
afterEach(() => edge.close());

/** Sends the text, and then `drip` every few milliseconds until the connection is closed. Returns the response. */
async function send(text: string, drip = ''): Promise<string> {
  const socket = connect(edge.port, '127.0.0.1').on('error', () => undefined);
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
  const closed = once(socket, 'close');
  socket.write(text);
  while (drip !== '' && !socket.destroyed) {
    await sleep(5);
    socket.write(drip);
  }
  await closed;
  return heard;
}

const HEAD = ' HTTP/1.1\r\nHost: edge\r\n';

it.each([
  ['drips byte by byte', `POST /1${HEAD}Content-Length: 1000000\r\n\r\n`, 'a'],
  ['drips in chunks', `POST /1${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
  ['never ends its trailers', `POST /1${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'A: b\r\n'],
  ['never ends a chunk’s extension', `POST /1${HEAD}Transfer-Encoding: chunked\r\n\r\n1;`, 'a'],
])('a client whose body %s gets its response, and is disconnected', async (_, text, drip) => {
  expect(await send(text, drip)).toMatch(/^HTTP\/1\.1 405 /);
  expect(asked).toEqual([]);
});

// Each input hides a request behind a body with a false length. RFC 9112 §6.1 and §6.3 require that these are rejected.
const HIDDEN = `GET /hidden${HEAD}\r\n`;
it.each([
  ['two lengths', `POST /1${HEAD}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc${HIDDEN}`],
  [
    'a length and chunks',
    `POST /1${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ['a length below zero', `POST /1${HEAD}Content-Length: -1\r\n\r\n${HIDDEN}`],
  ['a length beyond all numbers', `POST /1${HEAD}Content-Length: ${'9'.repeat(30)}\r\n\r\n${HIDDEN}`],
  ['chunks that are no numbers', `POST /1${HEAD}Transfer-Encoding: chunked\r\n\r\nx\r\n\r\n${HIDDEN}`],
  [
    'a length among its trailers',
    `POST /1${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n${HIDDEN}`,
  ],
])('a request with %s closes its connection, and a smuggled request is not executed', async (_, text) => {
  expect(await send(text)).toMatch(/^HTTP\/1\.1 40[05] /);
  expect(asked).toEqual([]);
});

it('ignores a pace in a trailer', async () => {
  const trailer = `GET /1${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nCMCD-Status: rtp=100\r\n\r\n`;
  const heard = await send(`${trailer}GET /2${HEAD}Connection: close\r\n\r\n`);
  expect(heard.match(/dashjs-sammy-pace=\d+/g)).toEqual(['dashjs-sammy-pace=0', 'dashjs-sammy-pace=0']);
  expect(asked).toEqual(['/1', '/2']);
});

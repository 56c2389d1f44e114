import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Handler } from '../handler.ts';
import { startEdge, type Edge } from './server.ts';

const BODY = 'body '.repeat(1000);
let edge: Edge;
afterEach(() => edge.close());

const serve = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  const handler: Handler = () => Promise.resolve(new Response(body));
  edge = await startEdge({ handler });
};

/** Returns the first bytes of a response that the client reads. */
async function firstRead(): Promise<string> {
  const socket = connect(edge.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: edge\r\n\r\n');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return chunk.toString('latin1');
}

it('sends the headers in the same packet as the beginning of the body', async () => {
  await serve(new Response(BODY).body ?? new ReadableStream());
  // Retry, because on a busy machine, the body may be late.
  await expect.poll(firstRead).toContain('body');
});

it('sends the headers alone if the body is late', async () => {
  await serve(new ReadableStream());
  const head = await firstRead();
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toMatch(/\r\n\r\n$/);
});

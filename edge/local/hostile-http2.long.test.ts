import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { selfSigned } from './self-signed.ts';
import { startEdge, type Edge } from './server.ts';

// The clients of these tests violate the protocol, so they write frames directly (RFC 9113 §4.1, §6).
const [HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY] = [1, 3, 4, 6, 7];
const [END_STREAM, END_HEADERS] = [1, 4];
const ENHANCE_YOUR_CALM = 0x0b;
const CANCEL = Buffer.from([0, 0, 0, 8]);
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** `:method: GET`, `:scheme: https` and `:path: /` of HPACK's static table, and `:authority: e` (RFC 7541, Appendix A). */
const GET = Buffer.from([0x82, 0x87, 0x84, 0x41, 0x01, 0x65]);

function frame(type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
const get = (stream: number) => frame(HEADERS, END_STREAM | END_HEADERS, stream, GET);

let edge: Edge;
let asked = 0;
beforeEach(async () => {
  asked = 0;
  edge = await startEdge({
    handler: async () => {
      asked += 1;
      // The origin is slow, so that requests whose stream is reset do not end at once.
      await sleep(500);
      return new Response(new Uint8Array(4_000_000));
    },
    tls: await selfSigned(),
  });
});
afterEach(() => edge.close());

async function client(): Promise<TLSSocket> {
  const socket = connect({
    port: edge.port,
    host: '127.0.0.1',
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  socket.write(PREFACE);
  socket.write(frame(SETTINGS, 0, 0));
  return socket;
}

it('closes a connection whose client violates the protocol and vanishes during a response', async () => {
  for (let n = 0; n < 10; n++) {
    const socket = await client();
    // A PING has eight bytes (RFC 9113 §6.7).
    socket.write(Buffer.concat([get(1), frame(PING, 0, 0, Buffer.from('abc'))]));
    await once(socket, 'data');
    socket.destroy();
  }
  await vi.waitFor(() => expect(edge.stats.connections).toBe(0), { timeout: 20_000, interval: 50 });
}, 30_000);

it('disconnects a client that requests and resets streams endlessly, with a reason', async () => {
  const socket = await client();
  let heard = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (heard = Buffer.concat([heard, chunk])));
  // Send as many requests at once as are allowed, and the resets later, because Node would not call the handler if both
  // were in one packet. The answer to PING is being written when the handlers are called, so GOAWAY has to wait for it.
  for (let n = 0; n < 60 && !socket.destroyed; n++) {
    const streams = Array.from({ length: 16 }, (_, k) => 2 * (16 * n + k) + 1);
    socket.write(Buffer.concat([...streams.map(get), frame(PING, 0, 0, Buffer.alloc(8))]));
    await sleep(1);
    socket.write(Buffer.concat(streams.map((stream) => frame(RST_STREAM, 0, stream, CANCEL))));
  }
  await vi.waitFor(() => expect(edge.stats.connections).toBe(0), { timeout: 20_000, interval: 50 });
  expect(asked).toBeLessThan(200);
  const reasons: number[] = [];
  for (let at = 0; at + 9 <= heard.length; at += 9 + heard.readUIntBE(at, 3)) {
    // GOAWAY has the last stream and the error code (RFC 9113 §6.8).
    if (heard.readUInt8(at + 3) === GOAWAY) reasons.push(heard.readUInt32BE(at + 13));
  }
  expect(reasons).toContain(ENHANCE_YOUR_CALM);
}, 30_000);

import { EventEmitter, once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHandler } from '../../edge/handler.ts';
import { takeVerdict } from '../../edge/internal-headers.ts';
import { openSocketOptions } from '../../edge/local/kernel/socket-options.ts';
import { nodeRequest } from '../../edge/local/node-request.ts';
import { selfSigned } from '../../edge/local/self-signed.ts';
import { paceLimits } from '../../edge/policy.ts';
import type { Kbps } from '../../src/units.ts';
import { printReceipt } from '../../src/wire/receipt.ts';
import { testOrigin } from './test-edge.ts';

/** A request, with the pace of its response. */
export interface SeenRequest {
  readonly url: URL;
  readonly asked_kbps: Kbps | null;
  /** The socket's pace at the start of this response; null if the pace was removed. */
  readonly socket_kbps: Kbps | null;
  readonly reason: string;
  /** The paces of all media requests in flight, including this request. */
  readonly underWay_kbps: readonly (Kbps | null)[];
}

export interface OneAtATimeServer {
  readonly url: string;
  /** The requests for media segments, in order. */
  readonly seen: readonly SeenRequest[];
  close(): void;
}

/**
 * The maximum time for which a paced audio segment is held back: less than its duration of 2 s, so that the buffer does
 * not shrink.
 */
const HELD_MS = 1500;

/**
 * An HTTP/2 server that treats its socket like VCL at Fastly: it sees one request at a time, and sets the socket's pace
 * to the policy's pace for the connection, so that the last response to start wins. It replaces a test with Varnish,
 * which does not support TLS, while browsers use HTTP/2 only over TLS. The end of a paced audio segment is held back
 * until a video segment is requested; otherwise only chance would decide whether an audio and a video segment are ever
 * in flight together.
 */
export async function startOneAtATimeServer(contentDirectory: string): Promise<OneAtATimeServer> {
  const kernel = await openSocketOptions();
  if ('unavailable' in kernel) throw new Error(kernel.unavailable);
  const handler = createHandler({ origin: await testOrigin(contentDirectory), limits: paceLimits() });
  const seen: SeenRequest[] = [];
  const underWay = new Set<{ readonly pace: Kbps | null }>();
  const sockets = new Set<Socket>();
  const pictures = new EventEmitter();

  const answer = async (message: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    const url = new URL(message.url, 'https://edge');
    const { headers, status, body } = await handler(nodeRequest(message, new AbortController().signal));
    const verdict = takeVerdict(headers);
    const { asked = null, connectionPace = null, connectionReason = 'no-rtp' } = verdict ?? {};
    const share = { pace: asked };
    const isSound = /\/a\d+\/\d+\.m4s$/.test(url.pathname);
    if (/\/v\d+\/\d+\.m4s$/.test(url.pathname)) pictures.emit('request');
    if (/\/\d+\.m4s$/.test(url.pathname)) {
      underWay.add(share);
      const underWay_kbps = [...underWay].map(({ pace }) => pace);
      seen.push({
        url,
        asked_kbps: asked,
        socket_kbps: connectionPace,
        reason: connectionReason,
        underWay_kbps,
      });
    }
    // Set the pace of all sockets, because the browser uses at most one connection.
    for (const socket of sockets) kernel.setPace(socket, connectionPace);
    const receipt = printReceipt({
      pace_kbps: connectionPace === null ? null : (verdict?.pace ?? null),
      socket_pace_kbps: connectionPace,
      reason: connectionReason,
    });
    for (const [name, value] of [...headers, ...Object.entries(receipt)]) response.setHeader(name, value);
    response.writeHead(status);
    try {
      const content = body ? Readable.fromWeb(body as never) : Readable.from([]);
      if (isSound && asked !== null) {
        const picture = Promise.race([once(pictures, 'request'), sleep(HELD_MS)]);
        await pipeline(content, (chunks) => endAfter(picture, chunks), response);
      } else await pipeline(content, response);
    } finally {
      underWay.delete(share);
    }
  };

  const server = createSecureServer(await selfSigned(), (message, response) => {
    // Ignore errors, because a client may disconnect at any time.
    answer(message, response).catch(() => response.stream.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Yields the chunks, but the last one not before `event`. */
async function* endAfter(
  event: Promise<unknown>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined;
  for await (const chunk of chunks) {
    if (last) yield last;
    last = chunk;
  }
  await event;
  if (last) yield last;
}

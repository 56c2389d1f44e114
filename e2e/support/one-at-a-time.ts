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
  /** The socket's pace when this response began; null if the pace was removed. */
  readonly socket_kbps: Kbps | null;
  readonly reason: string;
  /** The paces of the media requests that were under way, this one included. */
  readonly underWay_kbps: readonly (Kbps | null)[];
}

export interface OneAtATimeServer {
  readonly url: string;
  /** The requests for media segments, in order. */
  readonly seen: readonly SeenRequest[];
  close(): void;
}

/** The longest that a paced sound segment is held back: less than the 2 s that it plays, so that the buffer does not shrink. */
const HELD_MS = 1500;

/**
 * A server that speaks HTTP/2 and does to its socket what VCL does at Fastly: it looks at one request at a time, and gives
 * the socket the pace that the policy has for the connection, so that the last response to begin wins. Not VCL itself,
 * since Varnish speaks no TLS, without which no browser speaks HTTP/2. The end of a paced sound segment is held back until
 * a picture segment is asked for: that both are ever under way together would otherwise be chance.
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
    // The browser has one connection at most that is in use.
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
    // A client that goes away is no news.
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

/** Passes the chunks on, the last of them not before `event`. */
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

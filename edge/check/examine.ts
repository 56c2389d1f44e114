import { randomUUID } from 'node:crypto';
import {
  bytes,
  transferSize,
  kbps,
  milliseconds,
  millisecondsToSeconds,
  averageRate,
  seconds,
  type Kbps,
} from '../../src/units.ts';
import { parseReceipt, type Receipt } from '../../src/wire/receipt.ts';
import { cacheResult } from './cache-word.ts';
import { examineHttp3, http3Port, type Http3Findings } from './examine-http3.ts';
import { handshakeTime, openConnection, type Connection, type Timed } from './connection.ts';
import { findOtherEnd, canDetectForwarders, type OtherEnd, type SeenResponse } from './find-proxy.ts';
import { findDocsPage, findUnreadable, type Unreadable } from './readable.ts';

/** The measurements of a URL. Interpreted by `describe`. */
export interface Findings {
  readonly protocol: Connection['protocol'];
  /** The response without CMCD. */
  readonly status: number;
  readonly bytes: number;
  /** The response's media type; empty if unspecified. */
  readonly type: string;
  /** The minimum body size for a rate measurement. */
  readonly least: number;
  readonly unpaced: Kbps | null;
  /** The responses with CMCD. Absent for an error, a page, and a small body. */
  readonly paced?: {
    readonly asked: Kbps;
    readonly status: number;
    readonly receipt: Receipt;
    readonly rate: Kbps | null;
    /** The CORS headers that prevent a page from reading the receipt; null if none. */
    readonly unreadable: Unreadable | null;
    /** Whether pages of other origins may play the content at all. */
    readonly isShared: boolean;
    readonly otherEnd: OtherEnd;
    readonly canDetectForwarders: boolean;
    /** The documentation page for this server. */
    readonly page: string;
  };
  /** The rate of a later request without CMCD on the same connection. */
  readonly released?: Kbps | null;
  /** The cache's results for a request with unique CMCD, and for the same request again. */
  readonly cache: {
    readonly fresh: ReturnType<typeof cacheResult>;
    readonly again: ReturnType<typeof cacheResult>;
  };
  /** Measurements over HTTP/3; absent if the server does not advertise HTTP/3 (Alt-Svc). */
  readonly http3?: Http3Findings;
}

export interface ExamineOptions {
  /** The pace to request. The default is 5 Mbit/s or half of the unpaced rate, whichever is lower. */
  readonly rtp?: Kbps;
  readonly by: 'query' | 'header';
  readonly insecure: boolean;
  /** A curl that speaks HTTP/3; null if there is none. */
  readonly curl?: readonly string[] | null;
  /** The duration of a paced request. For a smaller object, requests are repeated for at least half of this time. */
  readonly time?: ReturnType<typeof seconds>;
}

const RTP = kbps(5000);
/** The size of the unpaced request: 8 Mbit, which take 3.2 s at 2.5 Mbit/s. */
const UNPACED_BYTES = 1_000_000;
const MOST_REQUESTS = 20;
/** Smaller bodies are not measured, because TCP sends them in a few packets. On loopback, a packet has up to 64 kB. */
const LEAST_BYTES = 100_000;
const LEAST_BYTES_ON_LOOPBACK = 400_000;

/**
 * Requests a URL on one connection: first without CMCD, then with an rtp for long enough to measure the rate, then
 * without CMCD again. Throws a one-line Error if a request fails.
 */
export async function examine(url: URL, options: ExamineOptions): Promise<Findings> {
  const connection = await openConnection(url, options.insecure);
  try {
    const plain = await connection.get(url.pathname + url.search, rangeHeader(UNPACED_BYTES));
    const unpaced = rateSeen([plain]);
    const seen = {
      protocol: connection.protocol,
      status: plain.status,
      bytes: plain.bytes,
      type: plain.header('Content-Type') ?? '',
      unpaced,
      least: isLoopback(url.hostname) ? LEAST_BYTES_ON_LOOPBACK : LEAST_BYTES,
    };
    if (plain.status >= 300 || plain.bytes < seen.least || isPage(seen.type))
      return { ...seen, cache: { fresh: null, again: null } };

    const time = options.time ?? seconds(3);
    const asked = options.rtp ?? defaultRtp(unpaced);
    const size = Math.min(objectSize(plain), transferSize(asked, time));
    const [target, headers] = withCmcd(url, asked, options.by);
    const responses: SeenResponse[] = [{ receipt: parseReceipt(plain.header), before: bytes(0) }];
    let arrived = plain.bytes;
    const ask = async (most: number): Promise<Timed> => {
      const answer = await connection.get(target, { ...headers, ...rangeHeader(most) });
      responses.push({ receipt: parseReceipt(answer.header), before: bytes(arrived) });
      arrived += answer.bytes;
      return answer;
    };
    const fresh = await ask(size);
    // Request enough data for a measurement: on a connection that was idle, the first packets may be sent at twice the
    // rate.
    const again = fresh.status < 300 ? await ask(LEAST_BYTES) : undefined;
    const measured = [fresh];
    const began = performance.now() - fresh.steady.time;
    while (fresh.status < 300 && measured.length < MOST_REQUESTS && performance.now() - began < time * 500)
      measured.push(await ask(size));
    const released = rateSeen([await connection.get(url.pathname + url.search, rangeHeader(UNPACED_BYTES))]);
    const connections = [responses, await responsesElsewhere(url, options, target, headers)];
    // On loopback, the time of a handshake depends only on the load of the machine.
    const handshake = isLoopback(url.hostname) ? null : await handshakeTime(url);
    const port = http3Port(plain.header('Alt-Svc'));
    const paced = { target, headers };
    const http3 =
      port === null
        ? undefined
        : await examineHttp3(options.curl ?? null, port, {
            url,
            paced,
            asked,
            size: objectSize(plain),
            time,
          });
    return {
      ...seen,
      ...(http3 && { http3 }),
      paced: {
        asked,
        status: fresh.status,
        receipt: parseReceipt(fresh.header),
        rate: rateSeen(measured),
        unreadable: findUnreadable(fresh.header),
        isShared: fresh.header('Access-Control-Allow-Origin') !== null,
        otherEnd: findOtherEnd(connections, handshake),
        canDetectForwarders: canDetectForwarders(connections, handshake),
        page: findDocsPage(fresh.header),
      },
      released,
      cache: { fresh: cacheResult(fresh.header), again: again ? cacheResult(again.header) : null },
    };
  } finally {
    connection.close();
  }
}

/**
 * Requests the URL over another connection. A proxy may use its existing connection to the edge, whose receipt then shows
 * more bytes than this connection has received.
 */
async function responsesElsewhere(
  url: URL,
  { insecure }: ExamineOptions,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<SeenResponse[]> {
  const connection = await openConnection(url, insecure);
  try {
    const { header } = await connection.get(target, { ...headers, ...rangeHeader(1000) });
    return [{ receipt: parseReceipt(header), before: bytes(0) }];
  } finally {
    connection.close();
  }
}

export const isPage = (type: string): boolean => /^(text\/html|application\/xhtml\+xml)\b/i.test(type);

/** Returns the size of the complete object, from the response to a range request. */
const objectSize = ({ header, bytes }: Timed): number =>
  Number(/\/(\d+)$/.exec(header('Content-Range') ?? '')?.[1] ?? bytes);

const isLoopback = (host: string): boolean => /^(127\.|\[::1\]|localhost$)/.test(host);
const rangeHeader = (size: number): Record<string, string> => ({ Range: `bytes=0-${Math.floor(size) - 1}` });

/** The default pace, in steps of rtp. It is below the unpaced rate, because a higher pace would have no effect. */
const defaultRtp = (unpaced: Kbps | null): Kbps =>
  unpaced === null || unpaced > 2 * RTP ? RTP : kbps(Math.max(100, Math.floor(unpaced / 200) * 100));

/**
 * Returns the path and headers of a request with the plug-in's CMCD keys. The sum of paces is `rtp`, because no other
 * request is in flight. The session id is unique, so that a cache with CMCD in its key has no copy.
 */
function withCmcd(url: URL, rtp: Kbps, by: 'query' | 'header'): [string, Record<string, string>] {
  const cmcd = `io.github.dashjs-sammy,io.github.dashjs-sammy-sum=${rtp},rtp=${rtp},sid="${randomUUID()}"`;
  const target = url.pathname + url.search;
  if (by === 'header') return [target, { 'CMCD-Status': cmcd }];
  return [`${target}${url.search === '' ? '?' : '&'}CMCD=${encodeURIComponent(cmcd)}`, {}];
}

/** The rate of the steady parts of several responses; null if no response has a steady part. */
function rateSeen(answers: readonly Timed[]): Kbps | null {
  let [size, time] = [0, 0];
  for (const { steady } of answers) {
    size += steady.bytes;
    time += steady.time;
  }
  return time > 0 ? averageRate(bytes(size), millisecondsToSeconds(milliseconds(time))) : null;
}

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
import { findOtherEnd, tellsForwarders, type OtherEnd, type SeenResponse } from './find-proxy.ts';
import { findDocsPage, findUnreadable, type Unreadable } from './readable.ts';

/** The measurements of a URL. Interpreted by `describe`. */
export interface Findings {
  readonly protocol: Connection['protocol'];
  /** The response without CMCD. */
  readonly status: number;
  readonly bytes: number;
  /** Its media type; empty if unspecified. */
  readonly type: string;
  /** The minimum of `bytes` for a rate measurement. */
  readonly least: number;
  readonly unpaced: Kbps | null;
  /** Absent if the response without CMCD could not be paced. */
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
    readonly tellsForwarders: boolean;
    /** The page of the documentation about this server. */
    readonly page: string;
  };
  /** The rate of a request without CMCD on the same connection afterwards. */
  readonly released?: Kbps | null;
  /** The cache's results: for CMCD that is unique, and for the same CMCD again. */
  readonly cache: {
    readonly fresh: ReturnType<typeof cacheResult>;
    readonly again: ReturnType<typeof cacheResult>;
  };
  /** Measurements over HTTP/3; absent if the server does not advertise HTTP/3 (Alt-Svc). */
  readonly http3?: Http3Findings;
}

export interface ExamineOptions {
  /** The pace to request. The default is 5 Mbit/s, or half of the unpaced rate if that is lower. */
  readonly rtp?: Kbps;
  readonly by: 'query' | 'header';
  readonly insecure: boolean;
  /** A curl that speaks HTTP/3; null if there is none. */
  readonly curl?: readonly string[] | null;
  /** The minimum total duration of the paced requests. */
  readonly time?: ReturnType<typeof seconds>;
}

const RTP = kbps(5000);
/** The size of the unpaced request. It takes three seconds at 2.5 Mbit/s. */
const UNPACED_BYTES = 1_000_000;
const MOST_REQUESTS = 20;
/** Smaller bodies are not measured: TCP sends them in a few packets, which have 64 kB on loopback. */
const LEAST_BYTES = 100_000;
const LEAST_BYTES_ON_LOOPBACK = 400_000;

/**
 * Requests a URL on one connection: without CMCD, then with an rtp until enough time has passed, then without again. Throws
 * an Error of one line if the requests fail.
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
    // Requests enough data for a rate: a connection that was idle may send its first packets twice as fast.
    const again = fresh.status < 300 ? await ask(LEAST_BYTES) : undefined;
    const measured = [fresh];
    const began = performance.now() - fresh.steady.time;
    while (fresh.status < 300 && measured.length < MOST_REQUESTS && performance.now() - began < time * 500)
      measured.push(await ask(size));
    const released = rateSeen([await connection.get(url.pathname + url.search, rangeHeader(UNPACED_BYTES))]);
    const connections = [responses, await responsesElsewhere(url, options, target, headers)];
    // On one machine a handshake takes as long as the machine is busy.
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
        tellsForwarders: tellsForwarders(connections, handshake),
        page: findDocsPage(fresh.header),
      },
      released,
      cache: { fresh: cacheResult(fresh.header), again: again ? cacheResult(again.header) : null },
    };
  } finally {
    connection.close();
  }
}

/** A response over another connection. A proxy may answer it over an existing connection to the edge. */
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

/** Whether a response is an HTML page instead of a media segment. */
export const isPage = (type: string): boolean => /^(text\/html|application\/xhtml\+xml)\b/i.test(type);

/** The size of the whole object, from a response to a range request. */
const objectSize = ({ header, bytes }: Timed): number =>
  Number(/\/(\d+)$/.exec(header('Content-Range') ?? '')?.[1] ?? bytes);

const isLoopback = (host: string): boolean => /^(127\.|\[::1\]|localhost$)/.test(host);
const rangeHeader = (size: number): Record<string, string> => ({ Range: `bytes=0-${Math.floor(size) - 1}` });

/** In the steps of rtp. A pace above the network's throughput would show nothing. */
const defaultRtp = (unpaced: Kbps | null): Kbps =>
  unpaced === null || unpaced > 2 * RTP ? RTP : kbps(Math.max(100, Math.floor(unpaced / 200) * 100));

/** The plug-in's keys for a single request on its connection, in a session that is new to all caches. */
function withCmcd(url: URL, rtp: Kbps, by: 'query' | 'header'): [string, Record<string, string>] {
  const cmcd = `io.github.dashjs-sammy,io.github.dashjs-sammy-sum=${rtp},rtp=${rtp},sid="${randomUUID()}"`;
  const target = url.pathname + url.search;
  if (by === 'header') return [target, { 'CMCD-Status': cmcd }];
  return [`${target}${url.search === '' ? '?' : '&'}CMCD=${encodeURIComponent(cmcd)}`, {}];
}

/** The rate of the steady parts of several responses; null if none has such a part. */
function rateSeen(answers: readonly Timed[]): Kbps | null {
  let [size, time] = [0, 0];
  for (const { steady } of answers) {
    size += steady.bytes;
    time += steady.time;
  }
  return time > 0 ? averageRate(bytes(size), millisecondsToSeconds(milliseconds(time))) : null;
}

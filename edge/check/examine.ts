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
import { cacheWord } from './cache-word.ts';
import { examineHttp3, http3Port, type Http3Findings } from './examine-http3.ts';
import { handshakeTime, openConnection, type Connection, type Timed } from './connection.ts';
import { findOtherEnd, tellsForwarders, type OtherEnd, type SeenResponse } from './find-proxy.ts';
import { pageOf, unreadable, type Unreadable } from './readable.ts';

/** What was seen of a URL; `describe` says what it means. */
export interface Findings {
  readonly protocol: Connection['protocol'];
  /** The response without CMCD. */
  readonly status: number;
  readonly bytes: number;
  /** Its media type; empty if it says none. */
  readonly type: string;
  /** What `bytes` must be for a rate to be told. */
  readonly least: number;
  readonly unpaced: Kbps | null;
  /** Absent where the response without CMCD is none that could be paced. */
  readonly paced?: {
    readonly asked: Kbps;
    readonly status: number;
    readonly receipt: Receipt;
    readonly rate: Kbps | null;
    /** What keeps a page from reading the receipt; null if nothing does. */
    readonly unreadable: Unreadable | null;
    /** Whether pages of other origins may play at all. */
    readonly isShared: boolean;
    readonly otherEnd: OtherEnd;
    readonly tellsForwarders: boolean;
    /** The page of the documentation about this server. */
    readonly page: string;
  };
  /** The rate of a request without CMCD on the same connection afterwards. */
  readonly released?: Kbps | null;
  /** What the cache said: to CMCD that nobody has sent before, and to the same again. */
  readonly cache: {
    readonly fresh: ReturnType<typeof cacheWord>;
    readonly again: ReturnType<typeof cacheWord>;
  };
  /** What was seen over HTTP/3; absent where browsers are not told to go on over it (Alt-Svc). */
  readonly http3?: Http3Findings;
}

export interface ExamineOptions {
  /** The pace to ask for; when not given, 5 Mbit/s, or half of what comes unpaced if that is less. */
  readonly rtp?: Kbps;
  readonly by: 'query' | 'header';
  readonly insecure: boolean;
  /** A curl that speaks HTTP/3; null if there is none. */
  readonly curl?: readonly string[] | null;
  /** The time that the paced requests take, at least. */
  readonly time?: ReturnType<typeof seconds>;
}

const RTP = kbps(5000);
/** What is asked for without rtp: at 2.5 Mbit/s it takes three seconds. */
const UNPACED_BYTES = 1_000_000;
const MOST_REQUESTS = 20;
/** A body of less says nothing about a rate: TCP sends it in a few packets, which on loopback have 64 kB. */
const LEAST_BYTES = 100_000;
const LEAST_BYTES_ON_LOOPBACK = 400_000;

/**
 * Asks for a URL on one connection: without CMCD, then with an rtp until enough time has passed, then without again. Throws
 * an Error of one line when it cannot be asked.
 */
export async function examine(url: URL, options: ExamineOptions): Promise<Findings> {
  const connection = await openConnection(url, options.insecure);
  try {
    const plain = await connection.get(url.pathname + url.search, rangeOf(UNPACED_BYTES));
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
    const size = Math.min(sizeOf(plain), transferSize(asked, time));
    const [target, headers] = withCmcd(url, asked, options.by);
    const responses: SeenResponse[] = [{ receipt: parseReceipt(plain.header), before: bytes(0) }];
    let arrived = plain.bytes;
    const ask = async (most: number): Promise<Timed> => {
      const answer = await connection.get(target, { ...headers, ...rangeOf(most) });
      responses.push({ receipt: parseReceipt(answer.header), before: bytes(arrived) });
      arrived += answer.bytes;
      return answer;
    };
    const fresh = await ask(size);
    // A few bytes say nothing of a rate: a connection that was idle may send its first packets twice as fast.
    const again = fresh.status < 300 ? await ask(LEAST_BYTES) : undefined;
    const measured = [fresh];
    const began = performance.now() - fresh.steady.time;
    while (fresh.status < 300 && measured.length < MOST_REQUESTS && performance.now() - began < time * 500)
      measured.push(await ask(size));
    const released = rateSeen([await connection.get(url.pathname + url.search, rangeOf(UNPACED_BYTES))]);
    const connections = [responses, await responsesElsewhere(url, options, target, headers)];
    const handshake = await handshakeTime(url);
    const port = http3Port(plain.header('Alt-Svc'));
    const paced = { target, headers };
    const http3 =
      port === null
        ? undefined
        : await examineHttp3(options.curl ?? null, port, { url, paced, asked, size: sizeOf(plain), time });
    return {
      ...seen,
      ...(http3 && { http3 }),
      paced: {
        asked,
        status: fresh.status,
        receipt: parseReceipt(fresh.header),
        rate: rateSeen(measured),
        unreadable: unreadable(fresh.header),
        isShared: fresh.header('Access-Control-Allow-Origin') !== null,
        otherEnd: findOtherEnd(connections, handshake),
        tellsForwarders: tellsForwarders(connections, handshake),
        page: pageOf(fresh.header),
      },
      released,
      cache: { fresh: cacheWord(fresh.header), again: again ? cacheWord(again.header) : null },
    };
  } finally {
    connection.close();
  }
}

/** A response over another connection, which a proxy may answer over the connection to the edge that it had before. */
async function responsesElsewhere(
  url: URL,
  { insecure }: ExamineOptions,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<SeenResponse[]> {
  const connection = await openConnection(url, insecure);
  try {
    const { header } = await connection.get(target, { ...headers, ...rangeOf(1000) });
    return [{ receipt: parseReceipt(header), before: bytes(0) }];
  } finally {
    connection.close();
  }
}

/** Whether a response is a page for people, where a media segment was meant. */
export const isPage = (type: string): boolean => /^(text\/html|application\/xhtml\+xml)\b/i.test(type);

/** The size of the whole object, of which a part was asked for. */
const sizeOf = ({ header, bytes }: Timed): number =>
  Number(/\/(\d+)$/.exec(header('Content-Range') ?? '')?.[1] ?? bytes);

const isLoopback = (host: string): boolean => /^(127\.|\[::1\]|localhost$)/.test(host);
const rangeOf = (size: number): Record<string, string> => ({ Range: `bytes=0-${Math.floor(size) - 1}` });

/** In the steps of rtp; a pace that the network does not reach would show nothing. */
const defaultRtp = (unpaced: Kbps | null): Kbps =>
  unpaced === null || unpaced > 2 * RTP ? RTP : kbps(Math.max(100, Math.floor(unpaced / 200) * 100));

/** What the plug-in sends with a request alone on its connection, of a session that no cache has seen. */
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

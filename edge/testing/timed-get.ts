import { once } from 'node:events';
import { get, type Agent, type IncomingHttpHeaders } from 'node:http';
import { get as getSecurely } from 'node:https';
import {
  bytes,
  millisecondsToSeconds,
  milliseconds,
  averageRate,
  type Kbps,
  type Milliseconds,
} from '../../src/units.ts';

export interface TimedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  /** From the request to the last byte: with a pace no less than the pace makes it, however late this process reads. */
  readonly time: Milliseconds;
  /**
   * Goodput after the first megabyte, which is left out because TCP sends its initial window of 10 packets unpaced: on
   * loopback, whose MTU is 64 kB, that is 640 kB. Null for a body of at most a megabyte. More than the pace if the first
   * megabyte is read late, on a busy machine, when more than that has come.
   */
  readonly goodput: Kbps | null;
}

const SKIPPED_BYTES = 1_000_000;

/** The data that TCP sends immediately on a new connection, regardless of its pace: ten packets, of 64 kB on loopback. */
const INITIAL_WINDOW_BYTES = 655_360;
/** The data that TCP sends immediately on a used connection: one packet. */
export const PACKET_BYTES = 65_536;

/** The rate of a response since its request, without the data sent immediately: never above the pace of its socket. */
export const paceAtMost = (
  { bytes: received, time }: TimedResponse,
  sentAtOnce_bytes = INITIAL_WINDOW_BYTES,
): Kbps => averageRate(bytes(received - sentAtOnce_bytes), millisecondsToSeconds(time));

/** Fetches over HTTP/1.1, over TLS for https, with Node's own client and measures the time, for benchmarks and tests. */
export async function timedGet(
  url: string,
  options: { agent?: Agent; headers?: Record<string, string> } = {},
): Promise<TimedResponse> {
  const began = performance.now();
  const request = (url.startsWith('https:') ? getSecurely : get)(url, options);
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
  let received = 0;
  let start: { time: number; received: number } | null = null;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (start === null && received > SKIPPED_BYTES) start = { time: performance.now(), received };
  }
  const ended = performance.now();
  const past = start && {
    size: bytes(received - start.received),
    time: millisecondsToSeconds(milliseconds(ended - start.time)),
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes: received,
    time: milliseconds(ended - began),
    goodput: past && past.size > 0 ? averageRate(past.size, past.time) : null,
  };
}

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
  /**
   * Time from the request to the last byte. With a pace, it is never shorter than the pace implies, even if this
   * process reads late.
   */
  readonly time: Milliseconds;
  /**
   * Goodput after the first megabyte; null for a body of at most a megabyte. The first megabyte is excluded because TCP
   * sends its initial window of 10 packets unpaced, which is 640 kB on loopback, where the MTU is 64 kB. On a busy
   * machine, the goodput may exceed the pace: if the first megabyte is read late, more data has already arrived.
   */
  readonly goodput: Kbps | null;
}

const SKIPPED_BYTES = 1_000_000;

/**
 * The data that TCP sends immediately on a new connection, regardless of its pace: ten packets of 64 kB on loopback.
 */
const INITIAL_WINDOW_BYTES = 655_360;
/** The data that TCP sends immediately on a reused connection: one packet. */
export const PACKET_BYTES = 65_536;

/**
 * Returns the rate of a response since its request, without the data that TCP sends immediately. This rate never
 * exceeds the pace of the socket.
 */
export const paceAtMost = (
  { bytes: received, time }: TimedResponse,
  sentAtOnce_bytes = INITIAL_WINDOW_BYTES,
): Kbps => averageRate(bytes(received - sentAtOnce_bytes), millisecondsToSeconds(time));

/**
 * Fetches a URL over HTTP/1.1 (with TLS for https) with Node's own client, and measures the time. For benchmarks and
 * tests.
 */
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

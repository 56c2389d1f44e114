import { once } from 'node:events';
import { get, type Agent, type IncomingHttpHeaders } from 'node:http';
import { get as getSecurely } from 'node:https';
import { bytes, millisecondsToSeconds, milliseconds, rateOf, type Kbps } from '../../src/units.ts';

export interface TimedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  /**
   * Goodput after the first megabyte, which is left out because TCP sends its initial window of 10 packets unpaced: on
   * loopback, whose MTU is 64 kB, that is 640 kB. Null for a body of at most a megabyte.
   */
  readonly goodput: Kbps | null;
}

const SKIPPED_BYTES = 1_000_000;

/** Fetches over HTTP/1.1, over TLS for https, with Node's own client and measures the time, for benchmarks and tests. */
export async function timedGet(
  url: string,
  options: { agent?: Agent; headers?: Record<string, string> } = {},
): Promise<TimedResponse> {
  const request = (url.startsWith('https:') ? getSecurely : get)(url, options);
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
  let received = 0;
  let start: { time: number; received: number } | null = null;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (start === null && received > SKIPPED_BYTES) start = { time: performance.now(), received };
  }
  const past = start && {
    size: bytes(received - start.received),
    time: millisecondsToSeconds(milliseconds(performance.now() - start.time)),
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes: received,
    goodput: past && past.size > 0 ? rateOf(past.size, past.time) : null,
  };
}

import { bytes, transferSize, type Kbps, kbps, seconds } from '../../src/units.ts';
import { parseReceipt, type Receipt } from '../../src/wire/receipt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import { errorLine } from '../../system/error-line.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { curlHttp3, type CurlResponse } from './curl-http3.ts';

/** The measurements of a URL over HTTP/3, or the reason why it could not be measured. */
export type Http3Findings =
  | { readonly missing: string }
  | {
      readonly asked: Kbps;
      readonly status: number;
      readonly receipt: Receipt;
      readonly rate: Kbps;
      readonly unpaced: Kbps;
    };

export interface Http3Request {
  readonly url: URL;
  /** The URL with CMCD, or the CMCD headers. */
  readonly paced: { readonly target: string; readonly headers: Readonly<Record<string, string>> };
  readonly asked: Kbps;
  /** The size of the object. */
  readonly size: number;
  readonly time: ReturnType<typeof seconds>;
}

/** The maximum number of requests with a pace. */
const MOST_REQUESTS = 20;

/** Returns this machine's curl if it supports HTTP/3, which Node does not. */
export async function findCurlHttp3(): Promise<readonly string[] | null> {
  const curl = findExecutable('curl');
  if (curl === undefined) return null;
  return /^Features:.*\bHTTP3\b/m.test(await runQuietly(curl, ['--version'])) ? [curl] : null;
}

/** Returns the port of HTTP/3 in an Alt-Svc header; null if there is none, or if it is on another host. */
export function http3Port(altSvc: string | null): number | null {
  const port = /(?:^|[,\s])h3(?:-\d+)?="?:(\d+)/.exec(altSvc ?? '')?.[1];
  return port === undefined ? null : Number(port);
}

/**
 * Sends requests over one HTTP/3 connection: first without CMCD, then with an rtp for long enough to measure the rate.
 */
export async function examineHttp3(
  curl: readonly string[] | null,
  port: number,
  { url, paced, asked, size, time }: Http3Request,
): Promise<Http3Findings> {
  if (curl === null) return { missing: 'this machine has no curl with HTTP/3 (Debian 13 has one)' };
  const at = new URL(url);
  at.protocol = 'https:';
  at.port = String(port);
  const part = Math.min(size, transferSize(asked, time));
  const ranged = (headers: Readonly<Record<string, string>>) =>
    Object.entries({ ...headers, Range: `bytes=0-${Math.floor(part) - 1}` });
  const times = Math.min(MOST_REQUESTS, Math.max(1, Math.round(transferSize(asked, time) / part)));
  const plain = { url: at.href, headers: ranged({}) };
  const pacedUrl = new URL(paced.target, at).href;
  const requests = Array.from({ length: times }, () => ({ url: pacedUrl, headers: ranged(paced.headers) }));
  let answers: CurlResponse[];
  try {
    answers = await curlHttp3(curl, [plain, ...requests]);
  } catch (error) {
    return { missing: `it did not answer: ${errorLine(error)}` };
  }
  const [unpaced, first, ...more] = answers;
  if (unpaced === undefined || first === undefined || first.bytes === 0) {
    const error = first?.error ?? unpaced?.error ?? null;
    return { missing: `it did not answer there${error === null ? '' : `: ${error}`}` };
  }
  return {
    asked,
    status: first.status,
    receipt: parseReceipt(first.header),
    rate: rateOfAll([first, ...more]),
    unpaced: unpaced.goodput,
  };
}

/** The total rate of several responses. */
function rateOfAll(answers: readonly CurlResponse[]): Kbps {
  const size = bytes(answers.reduce((sum, answer) => sum + answer.bytes, 0));
  const kbit = (size * 8) / 1000;
  const time = answers.reduce((sum, answer) => sum + (answer.bytes * 8) / 1000 / answer.goodput, 0);
  return kbps(kbit / time);
}

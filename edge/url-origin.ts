import { milliseconds, type Milliseconds } from '../src/units.ts';
import { isOneRange } from './byte-range.ts';
import { isTimeout, type FetchWithin } from './fetch-within.ts';
import { renameReceipt } from './headers/inner-receipt.ts';
import { keepPrivate } from './headers/keep-private.ts';
import { plainResponse, type Origin } from './origin.ts';
import { parseUrl } from './parse-url.ts';

export interface UrlOriginOptions {
  /** The time within which the origin's headers must arrive, redirects included. */
  readonly timeout?: Milliseconds;
  /** The runtime's fetch: `fetchAsSent` in Node. Fastly's needs the name of a backend, and cannot be aborted. */
  readonly fetch: FetchWithin;
  /** Additional request headers to forward, as returned by `forwardedHeader`. They may contain a viewer's credentials. */
  readonly forward?: readonly string[];
  /** Receives one line for the operator with details that are not sent to clients: the origin's address, and its error. */
  readonly onProblem?: (line: string) => void;
}

/** The request headers that are passed to an origin: they select a part and a version of the object. */
export const REQUEST_HEADERS = [
  'Accept',
  'Range',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'If-Range',
  'Cache-Control',
];

/**
 * The response headers that are passed to a player: no hop-by-hop headers, cookies or policies of another site. All headers
 * that control caching are included, also `Vary`, because the request headers above select a version.
 */
const RESPONSE_HEADERS = [
  'Accept-Ranges',
  'Age',
  'Cache-Control',
  'CMSD-Dynamic',
  'CMSD-Static',
  'Content-Encoding',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'Date',
  'ETag',
  'Expires',
  'Last-Modified',
  'Server-Timing',
  'Vary',
];

/** Statuses whose responses have no content, whatever an origin sends (RFC 9110 §15). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** The maximum number of redirects. Browsers allow 20; a media origin needs one or two. */
const MAX_REDIRECTS = 5;

/** Fetches from one fixed host, below the path of `base`. Throws an Error when `base` is not an http(s) URL. */
export function urlOrigin(base: string, options: UrlOriginOptions): Origin {
  const { fetch, timeout = milliseconds(10_000), forward = [], onProblem = () => undefined } = options;
  const { origin, pathname: basePath } = parseBase(base);

  return async (request) => {
    const asked = new URL(request.url);
    if (!isPlainPath(asked.pathname)) return plainResponse(404, 'there is no such path');
    const fail = (status: number, line: string, detail = ''): Response => {
      onProblem(`the origin ${origin} ${line}${detail}`);
      return plainResponse(status, `the origin ${line}`);
    };
    let target = new URL(origin + basePath.replace(/\/$/, '') + asked.pathname + asked.search);
    const headers = new Headers();
    for (const name of [...REQUEST_HEADERS, ...forward]) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    // Thousands of ranges would cost the origin more than the client (RFC 9110 §17.15); without the header, the whole object is
    // sent.
    const range = headers.get('Range');
    if (range !== null && !isOneRange(range)) headers.delete('Range');
    // Ranges and lengths should refer to the object's own bytes. If an origin still encodes its response, it is passed on with
    // its Content-Encoding, which every player can decode.
    headers.set('Accept-Encoding', 'identity');

    const deadline = performance.now() + timeout;
    const { method, signal } = request;
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const answer = await fetch(
          new Request(target, { method, headers, signal, redirect: 'manual' }),
          milliseconds(Math.max(0, deadline - performance.now())),
          (silence) => onProblem(`the origin ${origin} sent nothing of a body for ${silence / 1000} s`),
        );
        const location = getRedirect(answer);
        if (location === null) return forOneViewer(passOn(answer), headers, forward);
        await answer.body?.cancel();
        target = new URL(location, target);
        if (target.origin !== origin) {
          return fail(502, 'redirects to another host, which is not allowed', `: ${target.origin}`);
        }
      }
      return fail(502, `redirects more than ${MAX_REDIRECTS} times`);
    } catch (error) {
      if (isTimeout(error)) return fail(504, `did not answer within ${timeout / 1000} s`);
      return fail(502, 'cannot be reached', `: ${errorCause(error)}`);
    }
  };
}

/** Throws an Error of one line unless a server at `base` answers, with any status. */
export async function checkReachable(base: string, timeout = milliseconds(10_000)): Promise<void> {
  const { href } = parseBase(base);
  try {
    const answer = await fetch(href, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    await answer.body?.cancel();
  } catch (error) {
    const line = `the origin ${base} cannot be reached: ${errorCause(error)}; check the URL, or start it first`;
    throw new Error(line, { cause: error });
  }
}

function parseBase(base: string): URL {
  const url = parseUrl(base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(`the origin '${base}' is not usable; expected http(s)://HOST[:PORT][/PATH] and no more`);
  }
  return url;
}

/** The assumed maximum number of times that an origin and its proxies decode a path. */
const MOST_DECODINGS = 4;

/**
 * Whether a path stays below the base however often it is decoded on its way. The URL parser resolves `..`, but not text that
 * becomes `..` after further decoding, nor `..` next to an encoded slash (`/..%2fprivate`) or before parameters that some
 * servers remove (`/..;x/private`).
 */
function isPlainPath(pathname: string): boolean {
  let path = pathname;
  for (let n = 0; n < MOST_DECODINGS; n++) {
    if (/%(2f|5c|00)|[\\\0]/i.test(path) || /(^|\/)\.\.?(;[^/]*)?(\/|$)/.test(path)) return false;
    const decoded = decodeBytes(path);
    if (decoded === path) return true;
    path = decoded;
  }
  return false;
}

/** Decodes each `%` with two digits to the character of that byte. Never fails, even for invalid UTF-8 or escapes. */
const decodeBytes = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** Keeps an origin's responses to forwarded headers separate from those to other viewers. */
function forOneViewer(answer: Response, asked: Headers, forward: readonly string[]): Response {
  for (const name of forward) answer.headers.append('Vary', name);
  if (forward.some((name) => asked.has(name))) keepPrivate(answer.headers);
  return answer;
}

const getRedirect = (answer: Response): string | null =>
  [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.get('Location') : null;

function passOn(answer: Response): Response {
  const headers = new Headers();
  for (const name of RESPONSE_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const timing = headers.get('Server-Timing');
  if (timing !== null) headers.set('Server-Timing', renameReceipt(timing));
  // With the length of a missing body, the client would mistake the next response for the body (RFC 9110 §8.6).
  if (WITHOUT_BODY.includes(answer.status)) headers.delete('Content-Length');
  return new Response(answer.body, { status: answer.status, headers });
}

/** The error's cause, because the message of fetch's own error is only "fetch failed". */
function errorCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

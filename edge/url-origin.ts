import { milliseconds, type Milliseconds } from '../src/units.ts';
import { isOneRange } from './byte-range.ts';
import { isTimeout, type FetchWithin } from './fetch-within.ts';
import { renameReceipt } from './headers/inner-receipt.ts';
import { keepPrivate } from './headers/keep-private.ts';
import { CLIENT_GONE, plainResponse, type Origin } from './origin.ts';
import { parseUrl } from './parse-url.ts';

export interface UrlOriginOptions {
  /** The time within which the origin's headers must arrive, including redirects. */
  readonly timeout?: Milliseconds;
  /** The runtime's fetch: `fetchAsSent` in Node, or a fetch through a backend on Fastly. */
  readonly fetch: FetchWithin;
  /** Additional request headers to forward, as returned by `forwardedHeader`. They may contain a viewer's credentials. */
  readonly forward?: readonly string[];
  /**
   * Called with one-line messages for the operator, which have details that are not sent to clients: the origin's
   * address and the error.
   */
  readonly onProblem?: (line: string) => void;
}

/** The request headers that are passed to an origin. They select a part and a version of the object. */
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
 * The response headers that are passed to a player. They exclude hop-by-hop headers, cookies and policies of another
 * site. They include all headers that control caching, and `Vary`, because the request headers above select a version.
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

/** Statuses of responses that have no content, whatever an origin sends (RFC 9110 §15). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** The maximum number of redirects. Browsers allow 20; a media origin needs one or two. */
const MAX_REDIRECTS = 5;

/**
 * Creates an origin that fetches from the host of `base`, below its path. Throws an Error if `base` is not an http(s)
 * URL.
 */
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
    // Remove a header with several ranges: thousands of ranges would cost the origin more than the client (RFC 9110
    // §17.15). Without the header, the origin sends the complete object.
    const range = headers.get('Range');
    if (range !== null && !isOneRange(range)) headers.delete('Range');
    // Ask for no encoding, so that ranges and lengths refer to the object's own bytes. If an origin still encodes its
    // response, it is passed on with its Content-Encoding, which every player can decode.
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
        const next = parseUrl(location, target);
        // Do not log such a URL: its password and its query may be secrets.
        if (!next || next.username || next.password)
          return fail(502, 'redirects to a URL that cannot be used');
        if (next.origin !== origin) {
          return fail(502, 'redirects to another host, which is not allowed', `: ${next.origin}`);
        }
        target = next;
      }
      return fail(502, `redirects more than ${MAX_REDIRECTS} times`);
    } catch (error) {
      if (isGone(request)) return plainResponse(CLIENT_GONE, 'the client has disconnected');
      if (isTimeout(error)) return fail(504, `did not answer within ${timeout / 1000} s`);
      return fail(502, 'cannot be reached', `: ${errorCause(error)}`);
    }
  };
}

/** Whether the client has disconnected. Requests have no signal on Fastly Compute, which does not report this. */
const isGone = ({ signal }: { readonly signal?: AbortSignal }): boolean => signal?.aborted ?? false;

/** Throws a one-line Error if no server responds at `base`. Any status is accepted. */
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
    throw new Error(`the origin '${base}' is not usable; expected exactly http(s)://HOST[:PORT][/PATH]`);
  }
  return url;
}

/** The maximum number of times that an origin and its proxies are assumed to decode a path. */
const MOST_DECODINGS = 4;

/**
 * Whether a path stays below the base after any number of decodings by proxies and servers. The URL parser resolves
 * `..`, but not text that becomes `..` after further decoding, or `..` next to an encoded slash (`/..%2fprivate`) or
 * before parameters that some servers remove (`/..;x/private`).
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

/** Makes caches keep an origin's responses to requests with forwarded headers separate for each viewer. */
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
  // Remove the length of a missing body: otherwise, the client would mistake the next response for the body (RFC 9110
  // §8.6).
  if (WITHOUT_BODY.includes(answer.status)) headers.delete('Content-Length');
  return new Response(answer.body, { status: answer.status, headers });
}

/** Returns the message of the error's cause, because the message of fetch's own error is only "fetch failed". */
function errorCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

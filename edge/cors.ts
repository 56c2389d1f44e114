import { RECEIPT_HEADERS } from '../src/wire/receipt.ts';
import { CMCD_HEADERS } from './cmcd.ts';
import { HEADER_NAME } from './headers/forwarded-headers.ts';
import { bareOrigin } from './parse-url.ts';

/**
 * CORS headers. Without credentials, any page may play content from an edge and read the receipt (src/wire/receipt.ts).
 * With credentials, only pages that the operator lists may read a response: if every `Origin` were echoed, any site
 * could read content that a viewer's cookies protect. For a listed page, the origin, methods and headers are listed by
 * name, because browsers treat `*` as a literal name if there are credentials (Fetch §3.3).
 */

export const METHODS = 'GET, HEAD, OPTIONS';

/** Headers that a page may read. Players use `Date` to synchronize their clock; the others describe a segment. */
const EXPOSED = [...RECEIPT_HEADERS, 'Content-Length', 'Content-Range', 'Date'].join(', ');

/**
 * Returns the origin of a page in the form in which browsers send it in `Origin`. Throws an Error that names `option`
 * for any other text.
 */
export function pageOrigin(option: string, text: string): string {
  const origin = bareOrigin(text);
  // Wildcards are not supported, although the URL parser accepts `*` in a host name.
  if (origin === null || origin.includes('*')) {
    throw new Error(`${option} is '${text}'; expected the origin of a page, exactly http(s)://HOST[:PORT]`);
  }
  return origin;
}

/** Allows the requesting page to read the response, with credentials only if listed. Any page may read its timing. */
export function allowPage(headers: Headers, request: Request, withCredentials: ReadonlySet<string>): void {
  allowOrigin(headers, request, withCredentials);
  headers.set('Access-Control-Expose-Headers', EXPOSED);
  headers.set('Timing-Allow-Origin', '*');
}

/** The headers that the plug-in and players send. */
const OWN_HEADERS = [...CMCD_HEADERS, 'Range'];

/** The maximum number of further headers that a preflight response allows. Applications typically send one or two tokens. */
const MOST_FURTHER = 16;

/**
 * Returns the headers that a page may send: the player's headers, and those that the browser lists in the preflight.
 * This reveals nothing, because anybody can send any header to a server without a page. The origin receives only the
 * headers that the operator forwards.
 */
function allowedHeaders(asked: string | null): string {
  const own = new Set(OWN_HEADERS.map((name) => name.toLowerCase()));
  const further = (asked ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME.test(name) && !own.has(name.toLowerCase()));
  return [...OWN_HEADERS, ...further.slice(0, MOST_FURTHER)].join(', ');
}

/** Returns the response to a preflight. Its lifetime is the longest that Chromium accepts, 7,200 s. */
export function preflightResponse(request: Request, withCredentials: ReadonlySet<string>): Response {
  const headers = new Headers({
    Allow: METHODS,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': allowedHeaders(request.headers.get('Access-Control-Request-Headers')),
    'Access-Control-Max-Age': '7200',
  });
  allowOrigin(headers, request, withCredentials);
  return new Response(null, { status: 204, headers });
}

function allowOrigin(headers: Headers, request: Request, withCredentials: ReadonlySet<string>): void {
  const page = request.headers.get('Origin');
  const isNamed = page !== null && withCredentials.has(page);
  headers.set('Access-Control-Allow-Origin', isNamed ? page : '*');
  if (isNamed) headers.set('Access-Control-Allow-Credentials', 'true');
  // Add Vary to the responses to pages that are not listed too: a cache must not serve these to a listed page (Fetch
  // §3.3.6).
  if (withCredentials.size > 0) headers.append('Vary', 'Origin');
}

import { RECEIPT_HEADERS } from '../src/wire/receipt.ts';
import { CMCD_HEADERS } from './cmcd.ts';
import { bareOrigin } from './parse-url.ts';

/**
 * Any page may play what an edge serves, and read the receipt, without credentials. A request with credentials is
 * answered readably only for pages that the operator has named: were whatever `Origin` echoed, every site on the web
 * could read what a viewer's cookies open. For a named page everything is spelled out, since with credentials a
 * browser takes `*` for a name (Fetch §3.3).
 */

export const METHODS = 'GET, HEAD, OPTIONS';

/** `Date` serves the player's clock; the rest is what it needs to know of a segment. */
const EXPOSED = [...RECEIPT_HEADERS, 'Content-Length', 'Content-Range', 'Date'].join(', ');

/** The origin of a page, as its browser writes it into `Origin`. Throws an Error that names `option` for anything else. */
export function pageOrigin(option: string, text: string): string {
  const origin = bareOrigin(text);
  // Valid in a host's name for the URL parser, and in no browser's `Origin`: there are no wildcards.
  if (origin === null || origin.includes('*')) {
    throw new Error(
      `${option} is '${text}'; expected the origin of a page, http(s)://HOST[:PORT] and no more`,
    );
  }
  return origin;
}

/** Lets the page that asks read the answer; with credentials only one of `withCredentials`. Timing is for any page. */
export function allowPage(headers: Headers, request: Request, withCredentials: ReadonlySet<string>): void {
  allowOrigin(headers, request, withCredentials);
  headers.set('Access-Control-Expose-Headers', EXPOSED);
  headers.set('Timing-Allow-Origin', '*');
}

/** The answer to a preflight, which Chromium keeps for at most 7,200 s. */
export function preflightResponse(request: Request, withCredentials: ReadonlySet<string>): Response {
  const headers = new Headers({
    Allow: METHODS,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': [...CMCD_HEADERS, 'Range'].join(', '),
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
  // On every answer, the ones for other pages too: a cache must not give those to a named page (Fetch §3.3.6).
  if (withCredentials.size > 0) headers.append('Vary', 'Origin');
}

import { RECEIPT_HEADERS } from '../src/wire/receipt.ts';
import { CMCD_HEADERS } from './cmcd.ts';

export const METHODS = 'GET, HEAD, OPTIONS';

/** `Date` serves the player's clock; the rest is what it needs to know of a segment. */
const EXPOSED = [...RECEIPT_HEADERS, 'Content-Length', 'Content-Range', 'Date'].join(', ');

/** Public content without credentials, so any page may play it; and its Resource Timing may be read. */
export function allowAnyPage(headers: Headers): void {
  headers.set('Access-Control-Allow-Origin', '*');
  headers.set('Access-Control-Expose-Headers', EXPOSED);
  headers.set('Timing-Allow-Origin', '*');
}

/** The answer to a preflight, which Chromium keeps for at most 7,200 s. */
export const preflightResponse = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      Allow: METHODS,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': [...CMCD_HEADERS, 'Range'].join(', '),
      'Access-Control-Max-Age': '7200',
    },
  });

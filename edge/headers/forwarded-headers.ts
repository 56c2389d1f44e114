import { REQUEST_HEADERS } from '../url-origin.ts';

/** A valid header name (RFC 9110 §5.6.2) of a common length. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;

/**
 * Headers that are never forwarded: headers of the connection, of the body, and headers that the edge itself reads or
 * writes.
 */
const NOT_FORWARDED =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|proxy-.*|cmcd-.*|x-sammy-.*)$/i;

/**
 * Returns the name of a request header that the operator forwards to the origin. Throws an Error that names `option` if
 * the header cannot be forwarded.
 */
export function forwardedHeader(option: string, name: string): string {
  const isOwn = REQUEST_HEADERS.some((each) => each.toLowerCase() === name.toLowerCase());
  if (HEADER_NAME.test(name) && !NOT_FORWARDED.test(name) && !isOwn) return name;
  const why = isOwn ? 'which is forwarded anyway' : 'which cannot be forwarded';
  throw new Error(`${option} is '${name}', ${why}; expected the name of a header such as Authorization`);
}

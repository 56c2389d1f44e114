/**
 * The size of every response (Sammy §6). Separate from the exchange, which needs Node, because pages of the site also
 * use this constant.
 */
export const RESPONSE_BYTES = 3_000_000;

/** Members of Server-Timing that a receipt has (src/wire/receipt.ts), each at the beginning or after a comma. */
const RECEIPT_MEMBER = /(^|,[ \t]*)(pace\b|tcp-)/gi;

/**
 * Renames the receipt of a hop behind this edge in a `Server-Timing`: `pace` becomes `upstream-pace`, `tcp-rtt` becomes
 * `upstream-tcp-rtt`. The origin, or a cache that has kept an older response, may have written it; a player must learn
 * from the edge's own receipt alone. `edge/vcl` and `edge/nginx` do the same.
 */
export const renameReceipt = (serverTiming: string): string =>
  serverTiming.replace(RECEIPT_MEMBER, '$1upstream-$2');

/** Matches the beginnings of Server-Timing members that a receipt may have (src/wire/receipt.ts). */
const RECEIPT_MEMBER = /(^|,[ \t]*)(pace\b|tcp-)/gi;

/**
 * Renames the members of another hop's receipt in a `Server-Timing` header: `pace` becomes `upstream-pace`, `tcp-rtt`
 * becomes `upstream-tcp-rtt`. The other receipt comes from the origin, or from an older response in a cache. A player
 * must use only this edge's own receipt. `edge/vcl` and `edge/nginx` do the same.
 */
export const renameReceipt = (serverTiming: string): string =>
  serverTiming.replace(RECEIPT_MEMBER, '$1upstream-$2');

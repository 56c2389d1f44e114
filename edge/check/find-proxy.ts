import type { Bytes, Milliseconds } from '../../src/units.ts';
import type { Receipt } from '../../src/wire/receipt.ts';

/** The receipts of one connection, in the order of its responses. */
export interface SeenResponse {
  readonly receipt: Receipt;
  /** The bytes of bodies that had arrived over the connection before this response. */
  readonly before: Bytes;
}

/**
 * The other end of the connection: `client` if the paced socket is that of the client; `proxy` if another program terminates
 * the connection, so that its socket to the edge is paced instead; `unknown` if the receipts are inconclusive.
 */
export type OtherEnd = 'client' | 'proxy' | 'unknown';

/** Headers and handshakes that the edge counts as sent, besides bodies. */
const OVERHEAD_BYTES = 60_000;
const OVERHEAD = 1.25;
/** A shorter round trip stays within one machine or room, where a proxy may be as near as the edge. */
const LEAST_ROUND_TRIP_MS = 3;

/**
 * Compares the edge's statistics of its socket with the client's measurements. `connections` are the client's, each with its
 * responses; `handshake` is the round trip of the TCP handshake, null where it says nothing about the distance.
 */
export function findOtherEnd(
  connections: readonly (readonly SeenResponse[])[],
  handshake: Milliseconds | null,
): OtherEnd {
  const seen = connections.flat();
  const least = Math.min(...seen.map(({ receipt }) => receipt.min_rtt_ms ?? receipt.rtt_ms ?? Infinity));
  const isFar = handshake !== null && handshake >= LEAST_ROUND_TRIP_MS;
  if (isFar && least < handshake / 3) return 'proxy';
  const isOneSocket = (responses: readonly SeenResponse[]): boolean =>
    new Set(responses.map(({ receipt }) => receipt.connection)).size <= 1;
  if (!connections.every(isOneSocket)) return 'proxy';
  const counted = seen.flatMap(({ receipt: { sent_bytes, retransmitted_bytes = 0 }, before }) =>
    sent_bytes === undefined ? [] : [{ sent: sent_bytes - retransmitted_bytes, before }],
  );
  const isOther = ({ sent, before }: { sent: number; before: number }): boolean =>
    sent < before || sent > before * OVERHEAD + OVERHEAD_BYTES;
  if (counted.some(isOther)) return 'proxy';
  return counted.length === seen.length && seen.length > 0 ? 'client' : 'unknown';
}

/** Whether round trips can detect a program that forwards bytes with one connection per client connection. */
export const tellsForwarders = (
  connections: readonly (readonly SeenResponse[])[],
  handshake: Milliseconds | null,
): boolean =>
  handshake !== null &&
  handshake >= LEAST_ROUND_TRIP_MS &&
  connections.flat().some(({ receipt }) => receipt.min_rtt_ms !== undefined || receipt.rtt_ms !== undefined);

import type { Bytes, Milliseconds } from '../../src/units.ts';
import type { Receipt } from '../../src/wire/receipt.ts';

/** The receipt of one response of a connection. */
export interface SeenResponse {
  readonly receipt: Receipt;
  /** The number of body bytes that had arrived over the connection before this response. */
  readonly before: Bytes;
}

/**
 * The peer of the edge's paced socket: `client`; `proxy` if another program terminates the client's connection, so that
 * its own connection to the edge is paced instead; `unknown` if the receipts are inconclusive.
 */
export type OtherEnd = 'client' | 'proxy' | 'unknown';

/** The edge also counts headers and handshakes as sent. Up to 1.25 times the bodies plus 60 kB are plausible. */
const OVERHEAD_BYTES = 60_000;
const OVERHEAD = 1.25;
/** Below this round-trip time, the client is so close that a proxy cannot be distinguished from the edge. */
const LEAST_ROUND_TRIP_MS = 3;

/**
 * Compares the edge's socket statistics with the client's measurements. `connections` has the responses of each of the
 * client's connections. `handshake` is the round-trip time of the TCP handshake; null if it does not depend on the
 * distance.
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

/**
 * Whether a comparison of round-trip times can detect a program that forwards the bytes of each client connection over
 * a connection of its own.
 */
export const canDetectForwarders = (
  connections: readonly (readonly SeenResponse[])[],
  handshake: Milliseconds | null,
): boolean =>
  handshake !== null &&
  handshake >= LEAST_ROUND_TRIP_MS &&
  connections.flat().some(({ receipt }) => receipt.min_rtt_ms !== undefined || receipt.rtt_ms !== undefined);

import type { Bytes, Kbps, Milliseconds } from '../../src/units.ts';
import type { PaceReason } from '../policy.ts';
import type { TcpInfo } from './kernel/tcp-info.ts';

export type AppliedReason = PaceReason | 'platform-cannot-pace';

export interface AppliedPace {
  /** The pace of this response. */
  readonly pace: Kbps | null;
  /** The pace of the socket, which HTTP/2 responses share. */
  readonly socketPace: Kbps | null;
  /** The pace of the socket before this response began. */
  readonly paceBefore: Kbps | null;
  readonly reason: AppliedReason;
}

export interface ResponseEvent {
  readonly method: string;
  /** Path and query as the client sent them, with CMCD. */
  readonly url: string;
  readonly status: number;
  readonly asked_kbps: Kbps | null;
  readonly pace_kbps: Kbps | null;
  /** The socket's pace when this response began: with HTTP/2, the sum with the responses that were under way. */
  readonly socket_pace_kbps: Kbps | null;
  readonly reason: AppliedReason;
  /** The bytes of the body that were handed to the kernel. */
  readonly bytes: Bytes;
  /** Time from the request's arrival (pipelined: from its turn) until the client's kernel has acknowledged the last byte. */
  readonly duration_ms: Milliseconds;
  /** False when the client vanished or the body failed. */
  readonly complete: boolean;
  readonly connection: string;
  /** Statistics when the last byte was acknowledged, or the last known ones; null on a platform without them. */
  readonly tcp: TcpInfo | null;
}

export interface EdgeStats {
  /** The number of open connections. */
  connections: number;
  /** The number of connections that were refused because too many were open. */
  refusedConnections: number;
  /** The most pipelined requests that have waited at a time on one connection. */
  mostWaiting: number;
  responses: number;
  bytes: number;
  incomplete: number;
  /** Responses by the reason of their pace. */
  readonly reasons: Partial<Record<AppliedReason, number>>;
  /** Responses whose verdict named a congestion control that this machine does not have or grant. */
  refusedCongestionControls: number;
}

export const noStats = (): EdgeStats => ({
  connections: 0,
  refusedConnections: 0,
  mostWaiting: 0,
  responses: 0,
  bytes: 0,
  incomplete: 0,
  reasons: {},
  refusedCongestionControls: 0,
});

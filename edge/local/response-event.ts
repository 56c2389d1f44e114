import type { Bytes, Kbps, Milliseconds } from '../../src/units.ts';
import type { PaceReason } from '../policy.ts';
import type { TcpInfo } from './kernel/tcp-info.ts';

export type AppliedReason = PaceReason | 'platform-cannot-pace';

export interface AppliedPace {
  /** Of this response. */
  readonly pace: Kbps | null;
  /** Of the socket, which HTTP/2 responses share. */
  readonly socketPace: Kbps | null;
  /** Of the socket until this response began. */
  readonly paceBefore: Kbps | null;
  readonly reason: AppliedReason;
}

export interface ResponseEvent {
  readonly method: string;
  /** Path and query as asked, with CMCD. */
  readonly url: string;
  readonly status: number;
  readonly asked_kbps: Kbps | null;
  readonly pace_kbps: Kbps | null;
  /** What the socket had as this response began: more with HTTP/2, when others were under way on it. */
  readonly socket_pace_kbps: Kbps | null;
  readonly reason: AppliedReason;
  /** Of the body, handed to the kernel. */
  readonly bytes: Bytes;
  /** From the request's arrival, or its turn when pipelined, until the client's kernel has acknowledged the last byte. */
  readonly duration_ms: Milliseconds;
  /** False when the client vanished or the body failed. */
  readonly complete: boolean;
  readonly connection: string;
  /** As the last byte was acknowledged, or as the connection was last seen; null where the platform tells nothing. */
  readonly tcp: TcpInfo | null;
}

export interface EdgeStats {
  /** Connections open now. */
  connections: number;
  /** Connections refused because too many were open. */
  refusedConnections: number;
  /** The most pipelined requests that a connection ever had waiting for their turn. */
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

import type { Bytes, Kbps, Milliseconds } from '../../src/units.ts';
import type { NamedAssignment } from '../experiments.ts';
import type { PaceReason } from '../policy.ts';
import type { TcpInfo } from './kernel/tcp-info.ts';

export type AppliedReason = PaceReason | 'platform-cannot-pace';

export type RequestArm = Pick<NamedAssignment, 'experiment' | 'arm'>;

export interface AppliedPace {
  /** The pace of this response. */
  readonly pace: Kbps | null;
  /** The pace of the socket, which HTTP/2 responses share. */
  readonly socketPace: Kbps | null;
  /** The pace of the socket before this response began. */
  readonly paceBefore: Kbps | null;
  readonly reason: AppliedReason;
}

/** The party that ended a response early: the client, or the source of its body. */
export type CutBy = 'client' | 'origin';

export interface ResponseEvent {
  /** The id of the request: its X-Request-Id if usable; else the connection's id with a number. */
  readonly request: string;
  /** The address of the client; '' if no longer known. */
  readonly client: string;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  readonly method: string;
  /** Path and query as the client sent them, with CMCD. */
  readonly url: string;
  readonly status: number;
  readonly asked_kbps: Kbps | null;
  readonly pace_kbps: Kbps | null;
  /** The socket's pace when this response began: with HTTP/2, the sum with the other responses in flight. */
  readonly socket_pace_kbps: Kbps | null;
  readonly reason: AppliedReason;
  /** The number of body bytes passed to the kernel. */
  readonly bytes: Bytes;
  /** Time from the request's arrival until the response head was written. */
  readonly first_byte_ms: Milliseconds;
  /** Time from the request's arrival (if pipelined, from its turn) until the client's kernel has acknowledged the last byte. */
  readonly duration_ms: Milliseconds;
  /** False if the client disconnected or the body failed. */
  readonly complete: boolean;
  /** Null for a complete response. */
  readonly cut_by: CutBy | null;
  /** The experiment arm of the request. */
  readonly arm: RequestArm | null;
  readonly connection: string;
  /** TCP's sent bytes on the connection since its last response was reported: with HTTP/2, including other streams. */
  readonly sent_bytes: Bytes;
  readonly retransmitted_bytes: Bytes;
  /** Statistics when the last byte was acknowledged, or the last known ones; null on a platform without statistics. */
  readonly tcp: TcpInfo | null;
}

export interface EdgeStats {
  /** The number of open connections. */
  connections: number;
  /** The number of connections that were refused because too many were open. */
  refusedConnections: number;
  /** The maximum number of pipelined requests that waited at the same time on one connection. */
  mostWaiting: number;
  responses: number;
  bytes: number;
  incomplete: number;
  /** Responses by the reason of their pace. */
  readonly reasons: Partial<Record<AppliedReason, number>>;
  /** Responses whose verdict named a congestion control that this machine does not have or grant. */
  refusedCongestionControls: number;
  /** The number of pace changes of responses in flight. */
  changedPaces: number;
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
  changedPaces: 0,
});

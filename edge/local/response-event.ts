import type { Bytes, Kbps, Milliseconds } from '../../src/units.ts';
import type { NamedAssignment } from '../experiments.ts';
import type { PaceReason } from '../policy.ts';
import type { TcpInfo } from './kernel/tcp-info.ts';

export type AppliedReason = PaceReason | 'platform-cannot-pace';

export type RequestArm = Pick<NamedAssignment, 'experiment' | 'arm'>;

export interface AppliedPace {
  readonly pace: Kbps | null;
  /** The pace of the socket, which HTTP/2 responses share. */
  readonly socketPace: Kbps | null;
  /** The pace of the socket before this response began. */
  readonly paceBefore: Kbps | null;
  readonly reason: AppliedReason;
}

/** The cause of an incomplete response: the client, or the source of the body. */
export type CutBy = 'client' | 'origin';

export interface ResponseEvent {
  /** The id of the request: a usable X-Request-Id, or else the connection's id with a number. */
  readonly request: string;
  /** The address of the client; '' if unknown. */
  readonly client: string;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  readonly method: string;
  /** Path and query as the client sent them, with CMCD. */
  readonly url: string;
  readonly status: number;
  readonly asked_kbps: Kbps | null;
  readonly pace_kbps: Kbps | null;
  /**
   * Whether the pace applied to the complete response. False after a change of the pace, after the longest time for
   * which a response is paced, and if an unpaced response was in flight on the same HTTP/2 connection.
   */
  readonly kept_pace: boolean;
  /** The socket's pace when this response began. With HTTP/2, this is the sum over all responses in flight. */
  readonly socket_pace_kbps: Kbps | null;
  readonly reason: AppliedReason;
  /** The number of body bytes written to the socket. If the response is incomplete, the kernel may have accepted fewer. */
  readonly bytes: Bytes;
  /** Time from the request's arrival, or from its turn if pipelined, until the response head was written. */
  readonly first_byte_ms: Milliseconds;
  /**
   * Time from the request's arrival, or from its turn if pipelined, until the client's kernel has acknowledged the last
   * byte.
   */
  readonly duration_ms: Milliseconds;
  /** False if the client disconnected or the body failed. */
  readonly complete: boolean;
  /** Null for a complete response. */
  readonly cut_by: CutBy | null;
  /** The experiment arm of the request. */
  readonly arm: RequestArm | null;
  readonly connection: string;
  /**
   * The bytes that TCP has sent on the connection since the previous report of a response. With HTTP/2, this includes
   * other streams.
   */
  readonly sent_bytes: Bytes;
  readonly retransmitted_bytes: Bytes;
  /**
   * TCP statistics when the last byte was acknowledged, or the last known statistics; null on a platform without
   * statistics.
   */
  readonly tcp: TcpInfo | null;
}

export interface EdgeStats {
  connections: number;
  /** The number of connections that were refused because too many were open. */
  refusedConnections: number;
  /** The maximum number of pipelined requests that waited at the same time on one connection. */
  mostWaiting: number;
  responses: number;
  bytes: number;
  incomplete: number;
  /** The number of responses by the reason of their pace. */
  readonly reasons: Partial<Record<AppliedReason, number>>;
  /** The number of responses whose congestion control this machine does not have or permit. */
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

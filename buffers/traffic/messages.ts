import type { SocketBuffers } from './socket-buffers.ts';
import type { TrafficFlow } from './traffic.ts';

/** The properties of a flow that the senders' program needs. */
export type SenderFlow = Pick<TrafficFlow, 'congestion_control' | 'bytes' | 'paced'> & {
  readonly port: number;
  /** The send buffer of an endless flow, bytes. */
  readonly send_buffer: number;
  /** Whether the flow starts when the receiver sends it a byte, instead of when the connection opens. */
  readonly awaits: boolean;
};

/** The properties of a flow that the receivers' program needs. */
export interface ReceiverFlow {
  readonly address: string;
  readonly port: number;
  readonly start_s: number;
  /** Whether the connection opens immediately and the receiver sends a byte at the flow's start. */
  readonly opened_first: boolean;
  readonly buffers: Pick<SocketBuffers, 'window' | 'receive'>;
}

/** The latest TCP_INFO of a flow, which remains after the flow ends. It is missing before the flow starts. */
export interface FlowCounts {
  readonly port: number;
  readonly acked_bytes: number;
  readonly sent_bytes: number;
  readonly retransmitted_bytes: number;
  readonly min_rtt_ms: number;
}

/** The senders' answer to 'sample'. */
export interface SenderSample {
  readonly type: 'sampled';
  readonly flows: readonly FlowCounts[];
}

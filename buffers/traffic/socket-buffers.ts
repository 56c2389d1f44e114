import { bdpPackets } from './bdp-packets.ts';
import type { Traffic } from './traffic.ts';

/** Sizes of a connection's buffers, in bytes. */
export interface SocketBuffers {
  /** The largest window that the receiver offers. */
  readonly window: number;
  readonly receive: number;
  readonly send: number;
}

/** A TCP segment with timestamps in an Ethernet frame of 1514 bytes. */
const PAYLOAD_BYTES = 1448;
/**
 * The window in multiples of BDP + B: enough for the data in flight and for the data that arrive between a lost packet
 * and its retransmission.
 */
const WINDOW_FULLS = 4;
const LEAST_WINDOW = 1 << 20;
/**
 * The receive buffer in windows. The kernel doubles this size, and uses up to half of the result for its own
 * structures.
 */
const RECEIVE_WINDOWS = 8;
/** The send buffer of all flows together: 0.7 s at 100 Mbit/s. */
const SEND_BYTES = 8 << 20;
/** The minimum send buffer of a flow: one large window. */
const LEAST_SEND = 512 << 10;

/**
 * Returns buffer sizes that keep the ACK clock running in the kernels at both ends, however long the programs wait for
 * a processor. A receiver's kernel acknowledges every second packet at once, as long as the window that it would offer
 * does not shrink. Otherwise it waits until the program has read (Linux, `__tcp_ack_snd_check`); the ACKs of several
 * milliseconds then become one ACK, which the sender answers with a burst. Therefore the window is limited to a small
 * part of the receive buffer, so that unread data do not reduce it. The send buffer holds the data in flight and as
 * much again.
 */
export function socketBuffers(traffic: Traffic, queuePackets: number): SocketBuffers {
  const full = (bdpPackets(traffic) + queuePackets) * PAYLOAD_BYTES;
  const window = Math.max(LEAST_WINDOW, Math.ceil(WINDOW_FULLS * full));
  return {
    window,
    receive: RECEIVE_WINDOWS * window,
    send: Math.max(LEAST_SEND, Math.ceil(SEND_BYTES / traffic.flows.length)),
  };
}

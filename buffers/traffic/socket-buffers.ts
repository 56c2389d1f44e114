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
/** In units of BDP + B: the data in flight, and the data that arrive after a lost packet until it is retransmitted. */
const WINDOW_FULLS = 4;
const LEAST_WINDOW = 1 << 20;
/** The kernel doubles it, and takes up to half for its own structures. */
const RECEIVE_WINDOWS = 8;
/** For all flows together: a fifth of a second at 100 Mbit/s, and at least enough for one large window. */
const SEND_BYTES = 8 << 20;
const LEAST_SEND = 512 << 10;

/**
 * Sizes with which the kernels at both ends keep the ACK clock by themselves, however long the programs there wait for a
 * processor. A receiver's kernel acknowledges every second packet at once as long as the window that it would offer does
 * not shrink; otherwise it waits until the program has read (Linux, `__tcp_ack_snd_check`), and the ACKs of some
 * milliseconds come as one, which the sender answers with a burst. So the window is limited to a small part of the
 * buffer, which unread data then do not reduce. A sender's buffer holds what is in flight and as much again.
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

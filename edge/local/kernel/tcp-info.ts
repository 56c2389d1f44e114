import {
  bytes,
  bytesPerSecond,
  bytesPerSecondToKbps,
  milliseconds,
  type Bytes,
  type BytesPerSecond,
  type Kbps,
  type Milliseconds,
} from '../../../src/units.ts';

/** The kernel's statistics of a connection: the fields of `struct tcp_info` that receipts, logs and the lab use. */
export interface TcpInfo {
  /** Smoothed round-trip time. */
  readonly rtt: Milliseconds;
  /** 0 before the first sample. */
  readonly min_rtt: Milliseconds;
  /** Congestion window, packets. */
  readonly cwnd_packets: number;
  /** Packets sent and not yet acknowledged. */
  readonly unacked_packets: number;
  /** The kernel's estimate of packets in the network: unacked - sacked - lost + retrans (`tcp_packets_in_flight`). */
  readonly in_flight_packets: number;
  /** Largest payload of one packet. */
  readonly mss: Bytes;
  /** The rate at which TCP paces; null if unlimited. */
  readonly pacing_rate: BytesPerSecond | null;
  /** The limit of this rate; null if there is none. */
  readonly max_pacing_rate: BytesPerSecond | null;
  /** The latest measured delivery rate; a lower bound if `delivery_rate_app_limited`. */
  readonly delivery_rate: Kbps;
  readonly delivery_rate_app_limited: boolean;
  /** Counters since the connection was opened. */
  readonly bytes_acked: Bytes;
  /** Includes retransmissions. */
  readonly bytes_sent: Bytes;
  readonly bytes_retrans: Bytes;
  /** Bytes that the server has written and TCP has not yet sent. */
  readonly notsent_bytes: Bytes;
}

/** The length of `struct tcp_info` up to and including `tcpi_bytes_retrans`, available since Linux 4.19. */
export const TCP_INFO_LENGTH = 216;

/** The kernel's value for "no limit" in a 64-bit rate. */
const UNLIMITED = 0xffff_ffff_ffff_ffffn;

/**
 * Reads `struct tcp_info` (include/uapi/linux/tcp.h), to which the kernel adds fields only at the end. Assumes a
 * little-endian machine. Returns null if the kernel is too old to fill the struct.
 */
export function parseTcpInfo(struct: Uint8Array): TcpInfo | null {
  if (struct.length < TCP_INFO_LENGTH) return null;
  const view = new DataView(struct.buffer, struct.byteOffset, struct.byteLength);
  const u32 = (offset: number) => view.getUint32(offset, true);
  const u64 = (offset: number) => Number(view.getBigUint64(offset, true));
  const microseconds = (offset: number) => milliseconds(u32(offset) / 1000);
  const rate = (offset: number) =>
    view.getBigUint64(offset, true) === UNLIMITED ? null : bytesPerSecond(u64(offset));
  // tcp_min_rtt() is ~0U before the first sample.
  const minRtt = u32(148);
  return {
    delivery_rate_app_limited: (view.getUint8(7) & 1) === 1,
    mss: bytes(u32(16)),
    unacked_packets: u32(24),
    in_flight_packets: Math.max(0, u32(24) - u32(28) - u32(32) + u32(36)),
    rtt: microseconds(68),
    cwnd_packets: u32(80),
    pacing_rate: rate(104),
    max_pacing_rate: rate(112),
    bytes_acked: bytes(u64(120)),
    notsent_bytes: bytes(u32(144)),
    min_rtt: milliseconds(minRtt === 0xffff_ffff ? 0 : minRtt / 1000),
    delivery_rate: bytesPerSecondToKbps(bytesPerSecond(u64(160))),
    bytes_sent: bytes(u64(200)),
    bytes_retrans: bytes(u64(208)),
  };
}

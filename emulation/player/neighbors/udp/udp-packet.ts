/** The flow's rate, with IP and UDP headers (Sammy §6). */
const RATE_MBPS = 5;
const HEADER_BYTES = 28;
const PACKET_BYTES = 1200;
/** The size of a packet with its IP and UDP headers. */
export const WIRE_BYTES = PACKET_BYTES + HEADER_BYTES;

/**
 * The interval between packets: 1228 bytes at 5 Mbit/s are 1.96 ms. Mahimahi delivers packets once per ms. The interval
 * is not a multiple of 1 ms, so the wait for the next delivery averages out within a run.
 */
export const INTERVAL_MS = (WIRE_BYTES * 8) / (RATE_MBPS * 1000);

export interface UdpPacket {
  readonly sequence: number;
  /** The sending time on the clock of `monotonic_ms`. */
  readonly sent_ms: number;
}

export function printUdpPacket({ sequence, sent_ms }: UdpPacket): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES);
  packet.writeUInt32LE(sequence, 0);
  packet.writeDoubleLE(sent_ms, 4);
  return packet;
}

export const parseUdpPacket = (packet: Buffer): UdpPacket => ({
  sequence: packet.readUInt32LE(0),
  sent_ms: packet.readDoubleLE(4),
});

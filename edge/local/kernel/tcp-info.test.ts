import { describe, expect, it } from 'vitest';
import { parseTcpInfo } from './tcp-info.ts';

/**
 * A handmade struct tcp_info, with the offsets of include/uapi/linux/tcp.h: eight bytes of u8 fields, 24 u32 (the first
 * at 8, the last, total_retrans, at 100), four u64 from 104, six u32 from 136, four u64 from 160, two u32 from 192, and
 * bytes_sent and bytes_retrans at 200 and 208.
 */
function struct(length = 248): Buffer {
  const buffer = Buffer.alloc(length);
  buffer.writeUInt8(0b1, 7);
  buffer.writeUInt32LE(1448, 16);
  buffer.writeUInt32LE(7, 24);
  // unacked 7 - sacked 3 - lost 2 + retrans 1 = 3 in flight.
  buffer.writeUInt32LE(3, 28);
  buffer.writeUInt32LE(2, 32);
  buffer.writeUInt32LE(1, 36);
  buffer.writeUInt32LE(12_500, 68);
  buffer.writeUInt32LE(24, 80);
  buffer.writeBigUInt64LE(1_250_000n, 104);
  buffer.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 112);
  buffer.writeBigUInt64LE(5_000_000_000n, 120);
  buffer.writeUInt32LE(65_536, 144);
  buffer.writeUInt32LE(5100, 148);
  buffer.writeBigUInt64LE(1_000_000n, 160);
  buffer.writeBigUInt64LE(5_000_002_896n, 200);
  buffer.writeBigUInt64LE(2896n, 208);
  return buffer;
}

describe('parseTcpInfo', () => {
  it('reads the fields by name and unit', () => {
    expect(parseTcpInfo(struct())).toEqual({
      rtt: 12.5,
      min_rtt: 5.1,
      cwnd_packets: 24,
      unacked_packets: 7,
      in_flight_packets: 3,
      mss: 1448,
      pacing_rate: 1_250_000,
      max_pacing_rate: null,
      delivery_rate: 8000,
      delivery_rate_app_limited: true,
      bytes_acked: 5_000_000_000,
      bytes_sent: 5_000_002_896,
      bytes_retrans: 2896,
      notsent_bytes: 65_536,
    });
  });

  it('reads a view into a larger buffer', () => {
    const padded = Buffer.concat([Buffer.alloc(3), struct()]);
    expect(parseTcpInfo(padded.subarray(3))?.rtt).toBe(12.5);
  });

  it('reads "no sample yet" as 0', () => {
    const buffer = struct();
    buffer.writeUInt32LE(0xffff_ffff, 148);
    expect(parseTcpInfo(buffer)?.min_rtt).toBe(0);
  });

  it('recognizes a kernel that is too old', () => {
    expect(parseTcpInfo(struct().subarray(0, 216))?.bytes_retrans).toBe(2896);
    expect(parseTcpInfo(struct().subarray(0, 192))).toBeNull();
  });
});

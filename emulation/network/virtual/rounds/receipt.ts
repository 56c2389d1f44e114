import { bytes, kbps, milliseconds } from '../../../../src/units.ts';
import type { Receipt } from '../../../../src/wire/receipt.ts';
import { printTcpState } from '../../../../src/wire/tcp-state.ts';
import { CONTENT_BYTES, type Connection } from './connection.ts';

/**
 * Returns the edge's receipt for a response that is about to begin. `handshake_ms` is the round-trip time of the
 * connection's handshake.
 */
export function makeReceipt(
  connection: Connection,
  handshake_ms: number,
  pace_kbps: number | null,
  congestionControl: string,
): Receipt {
  const { sent_bytes, retransmitted_bytes, delivery, control, name } = connection;
  const delivery_kbps = kbps(delivery.packetsPerMs * CONTENT_BYTES * 8);
  // Before the first response, the kernel's only RTT sample is from the handshake.
  const [rtt_ms, least_rtt_ms] =
    connection.srtt_ms > 0 ? [connection.srtt_ms, connection.least_rtt_ms] : [handshake_ms, handshake_ms];
  return {
    pace_kbps: pace_kbps === null ? null : kbps(pace_kbps),
    rtt_ms: milliseconds(rtt_ms),
    min_rtt_ms: milliseconds(least_rtt_ms),
    ...(!delivery.appLimited && { etp_kbps: kbps(Math.round(delivery_kbps)) }),
    sent_bytes: bytes(Math.round(sent_bytes)),
    retransmitted_bytes: bytes(Math.round(retransmitted_bytes)),
    cwnd_packets: Math.floor(control.window),
    // A connection carries one response at a time, so all earlier packets have arrived and are acknowledged. On the
    // lab's edge, the kernel reports 0 for the same reason.
    tcp_state: printTcpState({
      in_flight_packets: 0,
      ...(delivery_kbps > 0 && { delivery_kbps }),
      app_limited: delivery.appLimited,
    }),
    congestion_control: congestionControl,
    connection: name,
  };
}

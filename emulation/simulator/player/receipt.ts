import { bytes, kbps, milliseconds } from '../../../src/units.ts';
import type { Receipt } from '../../../src/wire/receipt.ts';
import { printTcpState } from '../../../src/wire/tcp-state.ts';
import type { Connection } from '../network/connection.ts';

/** The edge's receipt for a response that is about to begin. */
export function receiptOf(
  connection: Connection,
  pace_kbps: number | null,
  congestionControl: string,
): Receipt {
  const { srtt_ms, least_rtt_ms, sent_bytes, retransmitted_bytes, delivery_kbps, control, name } = connection;
  return {
    pace_kbps: pace_kbps === null ? null : kbps(pace_kbps),
    ...(srtt_ms > 0 && { rtt_ms: milliseconds(srtt_ms), min_rtt_ms: milliseconds(least_rtt_ms) }),
    ...(delivery_kbps !== undefined && { etp_kbps: kbps(Math.round(delivery_kbps)) }),
    sent_bytes: bytes(Math.round(sent_bytes)),
    retransmitted_bytes: bytes(Math.round(retransmitted_bytes)),
    cwnd_packets: Math.floor(control.window),
    // A connection carries one response at a time, and what it sent before has arrived with its ACKs. Whether the
    // application was what limited the rate is not modelled.
    tcp_state: printTcpState({
      in_flight_packets: 0,
      ...(delivery_kbps !== undefined && { delivery_kbps: kbps(delivery_kbps) }),
    }),
    congestion_control: congestionControl,
    connection: name,
  };
}

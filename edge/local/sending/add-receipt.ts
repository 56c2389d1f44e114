import { CHANGE_OFFER } from '../../../src/wire/rtp.ts';
import { printReceipt } from '../../../src/wire/receipt.ts';
import { printTcpState } from '../../../src/wire/tcp-state.ts';
import type { Connection } from '../connections/connection.ts';
import type { AppliedPace } from '../response-event.ts';

/**
 * Adds the receipt after the origin's values of the same headers, because the hop nearest to the player must be last.
 */
export function addReceipt(
  headers: Headers,
  { socket, id, kernel }: Connection,
  { pace, socketPace, paceBefore, reason }: AppliedPace,
  offersChanges = false,
): void {
  const tcp = kernel?.readTcpInfo(socket);
  const congestionControl = kernel?.congestionControl(socket);
  const receipt = printReceipt({
    pace_kbps: pace,
    ...(socketPace !== pace && { socket_pace_kbps: socketPace }),
    reason,
    connection: id,
    ...(tcp && {
      // The delivery rate of earlier responses. If these were paced, it is a lower bound of the throughput. Omitted if
      // the connection had too little to send.
      ...(tcp.delivery_rate > 0 &&
        !tcp.delivery_rate_app_limited && {
          etp_kbps: tcp.delivery_rate,
          ...(paceBefore !== null && { etp_limited_by: 'pace' }),
        }),
      rtt_ms: tcp.rtt,
      min_rtt_ms: tcp.min_rtt,
      retransmitted_bytes: tcp.bytes_retrans,
      sent_bytes: tcp.bytes_sent,
      cwnd_packets: tcp.cwnd_packets,
      tcp_state: printTcpState({
        in_flight_packets: tcp.in_flight_packets,
        delivery_kbps: tcp.delivery_rate,
        app_limited: tcp.delivery_rate_app_limited,
      }),
    }),
    ...(congestionControl && { congestion_control: congestionControl }),
  });
  for (const [name, value] of Object.entries(receipt)) headers.append(name, value);
  if (offersChanges) headers.append('Server-Timing', CHANGE_OFFER);
}

import { printReceipt } from '../../../src/wire/receipt.ts';
import type { Connection } from '../connections/connection.ts';
import type { AppliedPace } from '../response-event.ts';

/** Added to what the origin sent under the same names: the hop nearest the player comes last. */
export function addReceipt(
  headers: Headers,
  { socket, id, kernel }: Connection,
  { pace, socketPace, paceBefore, reason }: AppliedPace,
): void {
  const tcp = kernel?.readTcpInfo(socket);
  const congestionControl = kernel?.congestionControl(socket);
  const receipt = printReceipt({
    pace_kbps: pace,
    ...(socketPace !== pace && { socket_pace_kbps: socketPace }),
    reason,
    connection: id,
    ...(tcp && {
      // Of what was sent before this response: a lower bound where that was paced, and no throughput at all where
      // the connection had nothing more to send.
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
    }),
    ...(congestionControl && { congestion_control: congestionControl }),
  });
  for (const [name, value] of Object.entries(receipt)) headers.append(name, value);
}

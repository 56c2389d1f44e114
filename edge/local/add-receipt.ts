import { printReceipt } from '../../src/wire/receipt.ts';
import type { Connection } from './connection.ts';
import type { AppliedPace } from './response-event.ts';

/** Added to what the origin sent under the same names: the hop nearest the player comes last. */
export function addReceipt(
  headers: Headers,
  { socket, id, kernel }: Connection,
  { pace, socketPace, reason }: AppliedPace,
): void {
  const tcp = kernel?.readTcpInfo(socket);
  const congestionControl = kernel?.congestionControl(socket);
  const receipt = printReceipt({
    pace_kbps: pace,
    ...(socketPace !== pace && { socket_pace_kbps: socketPace }),
    reason,
    connection: id,
    ...(tcp && {
      ...(tcp.delivery_rate > 0 && { etp_kbps: tcp.delivery_rate }),
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

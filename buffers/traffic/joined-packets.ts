import { joinWithTcpProbe, type TcpProbe } from '../../p4/collector/join.ts';
import type { AckEvent } from '../../emulation/network/measure/ack-event.ts';
import type { MeasuredTraffic } from './measure-traffic.ts';
import { portFlow } from './traffic.ts';

/** A data packet at the bottleneck, with its sender's window. `t_s` counts from the first flow's start. */
export type JoinedPacket = ReturnType<typeof joinWithTcpProbe>[number] & { readonly flow: number };

/** A sender's window at the arrival of an ACK. */
export interface AckRow {
  readonly t_s: number;
  readonly flow: number;
  readonly cwnd_packets: number;
  /** The slow-start threshold; null until the first loss. */
  readonly ssthresh_packets: number | null;
  readonly srtt_ms: number;
}

/** Joins the switch's postcards with the kernel's records, by flow and sequence number. */
export function joinedPackets({
  postcards,
  acks,
  origin_s,
}: Pick<MeasuredTraffic, 'postcards' | 'acks' | 'origin_s'>): JoinedPacket[] {
  // Renumber the postcards. The switch also numbers the postcards of ACKs, which are not in this list. A run with
  // missing postcards is rejected elsewhere (`unusable`).
  const numbered = postcards.map((postcard, number) => ({ ...postcard, number }));
  return joinWithTcpProbe(numbered, acks.events.map(probeRecord)).map((packet) => ({
    ...packet,
    t_s: packet.t_s - origin_s,
    acked_s: packet.acked_s === undefined ? undefined : packet.acked_s - origin_s,
    flow: portFlow(packet.sport),
  }));
}

/**
 * Returns a row for each ACK. The segment that ends the handshake is left out, because it has no round-trip sample yet.
 */
export const ackRows = ({ acks, origin_s }: Pick<MeasuredTraffic, 'acks' | 'origin_s'>): AckRow[] =>
  acks.events
    .filter(({ srtt_ms }) => srtt_ms > 0)
    .map(({ t_ms, server_port, cwnd_packets, ssthresh_packets, srtt_ms }) => ({
      t_s: t_ms / 1000 - origin_s,
      flow: portFlow(server_port),
      cwnd_packets,
      ssthresh_packets: Number.isFinite(ssthresh_packets) ? ssthresh_packets : null,
      srtt_ms,
    }));

const probeRecord = (event: AckEvent): TcpProbe => ({
  t_s: event.t_ms / 1000,
  sport: event.server_port,
  dport: Number(event.flow.slice(event.flow.lastIndexOf(':') + 1)),
  snd_nxt: event.snd_nxt,
  snd_una: event.snd_una,
  snd_cwnd: event.cwnd_packets,
  ssthresh: event.ssthresh_packets,
  srtt_us: event.srtt_ms * 1000,
});

import type { AckEvent } from './ack-event.ts';

export interface TcpRow {
  readonly t_s: number;
  readonly flow: string;
  readonly srtt_ms: number;
  readonly cwnd_packets: number;
  /** Null until slow start ends for the first time. */
  readonly ssthresh_packets: number | null;
}

const ROW_MS = 20;

/** Keeps at most one event per flow and 20 ms: the first. `t_s` counts from `origin_ms`; earlier events are omitted. */
export function tcpRows(events: readonly AckEvent[], origin_ms: number, until_ms: number): TcpRow[] {
  const last = new Map<string, number>();
  return events.flatMap(({ t_ms, flow, srtt_ms, cwnd_packets, ssthresh_packets }) => {
    const slot = Math.floor((t_ms - origin_ms) / ROW_MS);
    if (srtt_ms === 0 || slot < 0 || t_ms >= until_ms || last.get(flow) === slot) return [];
    last.set(flow, slot);
    return [
      {
        t_s: Math.round(t_ms - origin_ms) / 1000,
        flow,
        srtt_ms,
        cwnd_packets,
        ssthresh_packets: Number.isFinite(ssthresh_packets) ? ssthresh_packets : null,
      },
    ];
  });
}

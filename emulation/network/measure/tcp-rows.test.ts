import { expect, test } from 'vitest';
import type { AckEvent } from './ack-event.ts';
import { tcpRows } from './tcp-rows.ts';

const event = (t_ms: number, flow: string, cwnd_packets: number, srtt_ms = 5.5): AckEvent => ({
  server_port: 8080,
  snd_nxt: 0,
  snd_una: 0,
  t_ms,
  flow,
  srtt_ms,
  cwnd_packets,
  ssthresh_packets: cwnd_packets > 20 ? 20 : Infinity,
});

test('has at most one row per flow and 20 ms, from the origin on', () => {
  const events = [
    event(999, 'a', 10),
    event(1000, 'a', 11),
    event(1019.9, 'a', 12),
    event(1019.95, 'b', 13),
    event(1020.4, 'a', 21),
    event(1021, 'c', 14, 0),
    event(1100, 'a', 15),
  ];
  expect(tcpRows(events, 1000, 1100)).toEqual([
    { t_s: 0, flow: 'a', srtt_ms: 5.5, cwnd_packets: 11, ssthresh_packets: null },
    { t_s: 0.02, flow: 'b', srtt_ms: 5.5, cwnd_packets: 13, ssthresh_packets: null },
    { t_s: 0.02, flow: 'a', srtt_ms: 5.5, cwnd_packets: 21, ssthresh_packets: 20 },
  ]);
});

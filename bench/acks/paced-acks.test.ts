import { expect, it } from 'vitest';
import type { AckEvent } from '../../emulation/network/measure/ack-event.ts';
import { summarizeAcks } from './paced-acks.ts';

const ack = (packets: number, srtt_ms: number): AckEvent => ({
  ...{ t_ms: 0, flow: '10.0.0.2:1', server_port: 5400, srtt_ms },
  ...{ snd_una: 1000, snd_nxt: 1000 + 1448 * packets, cwnd_packets: 10, ssthresh_packets: Infinity },
});

it('counts the ACKs that leave an odd number of packets, without those before the first sample and the first tenth', () => {
  const events = [
    ack(1, 0),
    ack(1, 9),
    ...Array.from({ length: 18 }, (_, at) => ack(at % 2 ? 7 : 6, 5 + at)),
  ];
  // The two of the first tenth of 19 events with a sample are skipped.
  expect(summarizeAcks(events)).toEqual({ rtt_ms: 14, odd_pct: (100 * 9) / 17 });
});

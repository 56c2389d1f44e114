import { describe, expect, it } from 'vitest';
import { bdpPackets } from './bdp-packets.ts';
import { flowSummaries } from './flow-summary.ts';
import { joinedPackets } from './joined-packets.ts';
import { lossEvents, windowsAtLoss } from './loss-events.ts';
import { checkTraffic, type Traffic, type TrafficFlow } from './traffic.ts';

const flow: TrafficFlow = {
  congestion_control: 'reno',
  start_s: 0,
  rtt_class: 0,
  bytes: null,
  paced: false,
  ecn: false,
};
const traffic: Traffic = {
  rate_bit_s: 100e6,
  rtt_ms: [18, 20, 22],
  queue: { packets: 165, at: 'tail' },
  flows: [flow, { ...flow, rtt_class: 2 }],
  seconds: 3,
  from_s: 1,
};

describe('traffic', () => {
  it.each<[string, Partial<Traffic>]>([
    [
      "the queue's size is 0, expected a whole number of packets from 1 on",
      { queue: { packets: 0, at: 'tail' } },
    ],
    ['a burst is 44, expected a whole number of packets from 1 to 43', { burst_packets: 44 }],
    ['a round trip is -1, expected ms from 0 on', { rtt_ms: [20, -1, 20] }],
    ['the number of round-trip classes is 17, expected 1 to 16', { rtt_ms: Array<number>(17).fill(20) }],
    ['the number of flows is 1001, expected 1 to 1000', { flows: Array<TrafficFlow>(1001).fill(flow) }],
    ["a flow's round-trip class is 3, expected one that there is", { flows: [{ ...flow, rtt_class: 3 }] }],
    ["a flow's amount is 0, expected bytes above 0", { flows: [{ ...flow, bytes: 0 }] }],
    ["a flow's start is 3, expected s from 0 to below 3", { flows: [{ ...flow, start_s: 3 }] }],
    ['the start-up is 3, expected s from 0 to below 3', { from_s: 3 }],
    ["the link's rate is NaN, expected bit/s above 0", { rate_bit_s: NaN }],
  ])('%s', (message, wrong) => {
    expect(() => checkTraffic({ ...traffic, ...wrong })).toThrow(message);
  });

  it('accepts valid traffic unchanged', () => {
    expect(() => checkTraffic(traffic)).not.toThrow();
  });

  it('has the bandwidth-delay product of the mean round trip: 100 Mbit/s x 20 ms / 1514 bytes', () => {
    expect(bdpPackets(traffic)).toBeCloseTo(165.125, 3);
  });
});

describe('loss events', () => {
  const packet = (t_s: number, flow: number, fate: 'forwarded' | 'marked' | 'queue_full') => ({
    t_s,
    flow,
    fate,
  });

  it('count the flows of each round trip that has a loss or a mark, after the start-up', () => {
    const packets = [
      packet(0.9, 1, 'queue_full'),
      packet(1.01, 1, 'queue_full'),
      packet(1.02, 1, 'queue_full'),
      packet(1.05, 2, 'marked'),
      packet(1.15, 3, 'forwarded'),
      packet(1.31, 4, 'queue_full'),
      packet(2, 4, 'queue_full'),
    ];
    expect(lossEvents(packets, { from_s: 1, to_s: 2, rtt_s: 0.1 })).toEqual({ rtt_ms: 100, flows: [2, 1] });
  });
});

describe('packets with their windows', () => {
  it('include packets that the queue lost, although the switch numbers the ACKs too', () => {
    const postcard = (number: number, sequence: number) => ({
      ...{ switchId: 1, ingressPort: 1, egressPort: 2, number, t_s: number / 1000, queueTime: 0 },
      flow: {
        ...{ etherType: 0x0800, source: '10.0.0.1', destination: '10.0.0.2', protocol: 6 },
        ...{ sourcePort: 5001, destinationPort: 40_000 },
      },
      tcp: { sequence, acknowledgement: 1, flags: 16 },
      ...{ payloadLength: 1000, packetLength: 1066, enqueueDepth: 0, dequeueDepth: 0 },
      ...{ dropped: false, marked: false },
    });
    const event = {
      ...{ flow: '10.0.0.2:40000', server_port: 5001, t_ms: 2.5, snd_nxt: 2001, snd_una: 1 },
      ...{ cwnd_packets: 10, ssthresh_packets: 5, srtt_ms: 20 },
    };
    // Numbers 2 and 4 belong to ACKs. Bytes 2001 to 3000 are missing.
    const packets = joinedPackets({
      postcards: [postcard(1, 1), postcard(3, 1001), postcard(5, 3001)],
      acks: { events: [event], lost: 0, fromEpoch_ms: Number },
      origin_s: 0,
    });
    expect(packets.map(({ seq, fate }) => [seq, fate])).toEqual([
      [1, 'forwarded'],
      [1001, 'forwarded'],
      [2001, 'queue_full'],
      [3001, 'forwarded'],
    ]);
  });
});

describe('the windows at a loss', () => {
  it('are summed over all flows and divided by BDP plus buffer, at the first loss after a time without losses', () => {
    const ack = (t_s: number, flow: number, cwnd_packets: number) => ({ t_s, flow, cwnd_packets });
    const packet = (t_s: number, fate: 'forwarded' | 'queue_full') => ({ t_s, fate });
    const acks = [ack(1, 0, 60), ack(1.1, 1, 40), ack(1.3, 0, 30), ack(2.5, 0, 50)];
    const packets = [
      packet(1.2, 'queue_full'),
      packet(1.4, 'queue_full'),
      packet(2.4, 'forwarded'),
      packet(2.6, 'queue_full'),
      packet(9, 'queue_full'),
    ];
    const span = { from_s: 1, to_s: 3, apart_s: 0.5, full_packets: 100 };
    expect(windowsAtLoss(packets, acks, span)).toEqual([1, 0.9]);
  });
});

describe('the summary of a flow', () => {
  const packet = (t_s: number, flow: number, fate: 'forwarded' | 'queue_full') => ({
    ...{ t_s, flow, fate, sport: 5001 + flow, dport: 1, seq: 0, payload: 1448, retransmission: false },
    ...{ enq_depth: 0, deq_depth: 0, queue_us: 0, window: undefined, acked_s: undefined },
  });
  const ack = (t_s: number, flow: number, cwnd_packets: number, srtt_ms: number) => ({
    ...{ t_s, flow, cwnd_packets, srtt_ms },
    ssthresh_packets: null,
  });
  const counts = (port: number, acked_bytes: number, retransmitted_bytes: number) => ({
    ...{ port, acked_bytes, retransmitted_bytes },
    sent_bytes: acked_bytes + retransmitted_bytes,
    min_rtt_ms: 20,
  });

  it('counts data after the start-up, and each ACK once', () => {
    const [first, second] = flowSummaries(traffic, {
      packets: [packet(0.5, 0, 'queue_full'), packet(1.5, 0, 'forwarded'), packet(1.6, 0, 'queue_full')],
      acks: [
        ack(0.5, 0, 99, 1),
        ack(1.5, 0, 10, 30),
        ack(1.6, 0, 10, 32),
        ack(1.7, 0, 13, 34),
        ack(3, 0, 1, 1),
      ],
      before: [counts(5001, 1e6, 5000)],
      after: [counts(5001, 3e6, 6448)],
    });
    expect(first).toEqual({
      flow: 0,
      congestion_control: 'reno',
      rtt_class: 0,
      goodput_mbps: 8,
      acked_bytes: 2e6,
      sent_bytes: 2_001_448,
      retransmitted_bytes: 1448,
      min_rtt_ms: 20,
      srtt_p50_ms: 32,
      packets: 2,
      lost: 1,
      marked: 0,
      window_mean_packets: 11,
      windows: [
        [10, 2],
        [13, 1],
      ],
    });
    expect(second).toMatchObject({ rtt_class: 2, goodput_mbps: null, srtt_p50_ms: null, windows: [] });
  });
});

import { expect, it } from 'vitest';
import { kernels } from './kernel-rules.ts';
import { RoutedNetwork } from './routed-network.ts';

const RTT_MS = 40;
/** Simulates a download over a port with one packet per ms, by a client with an access line of four packets per ms. */
function fetchOver({
  packets,
  pace = Infinity,
  receive_window = 1000,
  buffer_packets = 1000,
}: {
  packets: number;
  pace?: number;
  receive_window?: number;
  buffer_packets?: number;
}) {
  const network = new RoutedNetwork({
    port: { queues: 1, buffer_packets, packet_ms: 1 },
    ...{ congestion_control: 'reno', paced: false, kernel: kernels['6.1'], random: () => 0.5 },
  });
  const route = { queue: 0, rtt_ms: RTT_MS, line: { packet_ms: 0.25, free_ms: 0 }, receive_window };
  let [opened_ms, ends_ms] = [NaN, NaN];
  const connection = network.connect(route, () => {
    opened_ms = network.now_ms();
    connection.request(packets, pace, 0);
  });
  connection.onReceived = () => {
    if (connection.received === packets) ends_ms = network.now_ms();
  };
  network.runTo(20_000);
  return { opened_ms, ends_ms, sender: connection.sender };
}

it('needs one round trip to connect, and one more for a response of one window', () => {
  const { opened_ms, ends_ms, sender } = fetchOver({ packets: 10 });
  // The answer takes 1 ms on the link and 0.25 ms on the line.
  expect(opened_ms).toBeCloseTo(RTT_MS + 1.25, 9);
  // The ten packets follow one after the other on the link.
  expect(ends_ms - opened_ms).toBeCloseTo(RTT_MS + 10 + 0.25, 9);
  expect(sender?.leastRtt_ms).toBeCloseTo(RTT_MS + 1.25, 9);
  expect(sender?.counts).toMatchObject({ sent: 10, retransmitted: 0, timeouts: 0 });
});

it('sends a response at its pace', () => {
  const { opened_ms, ends_ms } = fetchOver({ packets: 101, pace: 0.1 });
  // 101 packets have 100 gaps of 10 ms. The first gap may be missing, because a burst of two packets is allowed.
  const took_ms = ends_ms - opened_ms - RTT_MS;
  expect(took_ms).toBeGreaterThan(970);
  expect(took_ms).toBeLessThan(1010);
});

it('never has more in flight than the receiver has room for', () => {
  const { opened_ms, ends_ms, sender } = fetchOver({ packets: 100, receive_window: 4 });
  // 100 packets at four per round trip are 25 round trips. The last ACK of each may be delayed, hence the extra 5 ms.
  expect(ends_ms - opened_ms).toBeGreaterThan(25 * RTT_MS);
  expect(ends_ms - opened_ms).toBeLessThan(26 * (RTT_MS + 5));
  expect(sender?.flow).toMatchObject({ sent: 100 });
  expect(sender?.flow.receiveLimited).toBeGreaterThan(40);
});

it('retransmits packets that a full buffer drops, including the last of a response', () => {
  const { ends_ms, opened_ms, sender } = fetchOver({ packets: 10, buffer_packets: 5 });
  // One packet is on the link and five are in the buffer. The other four are retransmitted because of a probe after two
  // round trips, without a timeout.
  expect(sender?.counts.retransmitted).toBe(4);
  expect(sender?.counts.timeouts).toBe(0);
  expect(ends_ms - opened_ms).toBeLessThan(6 * RTT_MS);
});

it('sends nothing to a client that closes before the connection is open', () => {
  const network = new RoutedNetwork({
    port: { queues: 1, buffer_packets: 1000, packet_ms: 1 },
    ...{ congestion_control: 'reno', paced: false, kernel: kernels['6.1'], random: () => 0.5 },
  });
  const route = {
    ...{ queue: 0, rtt_ms: RTT_MS, line: { packet_ms: 0.25, free_ms: 0 }, receive_window: 1000 },
  };
  // The server learns of the close while its answer to the handshake is in flight.
  const connection = network.connect(route, () => connection.request(100, Infinity, 0));
  network.at(5, () => connection.close());
  network.runTo(20_000);
  // Only the answer itself was sent.
  expect(network.router.counts[0]?.sent).toBe(1);
});

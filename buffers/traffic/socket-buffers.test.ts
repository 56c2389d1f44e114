import { expect, it } from 'vitest';
import { socketBuffers } from './socket-buffers.ts';
import type { Traffic, TrafficFlow } from './traffic.ts';

const flow: TrafficFlow = {
  ...{ congestion_control: 'reno', start_s: 0, rtt_class: 0, bytes: null, paced: false, ecn: false },
};
const traffic = (flows: number): Traffic => ({
  rate_bit_s: 100e6,
  rtt_ms: [20],
  queue: { packets: 165, at: 'tail' },
  flows: Array.from({ length: flows }, () => flow),
  seconds: 2,
  from_s: 1,
});

it('the window holds four times the data of link and queue, and the receive buffer several windows', () => {
  // 100 Mbit/s x 20 ms / 8 / 1514 bytes are 165.125 packets. With 165 more, of 1448 bytes each, times four, the window
  // is about 1912 kB.
  const { window, receive } = socketBuffers(traffic(1), 165);
  expect(window / 1e3).toBeCloseTo(4 * 330.125 * 1.448, 1);
  expect(receive).toBeGreaterThanOrEqual(8 * window);
  expect(socketBuffers(traffic(1), 1).window).toBe(1 << 20);
});

it('each sender gets less the more senders there are, because each has less of the link', () => {
  expect([1, 4, 128].map((flows) => socketBuffers(traffic(flows), 165).send / 1024)).toEqual([
    8192, 2048, 512,
  ]);
});

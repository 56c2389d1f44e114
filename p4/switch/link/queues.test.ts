import { describe, expect, test } from 'vitest';
import { Queues } from './queues.ts';

/** Fills the queues, sends the given number of packets, and returns the bytes sent by each queue. */
function served(weights: readonly number[], sizes: readonly number[], packets: number): number[] {
  const queues = new Queues<{ queue: number; bytes: number }>({ weights, depthPackets: 1e6 }, 1);
  for (const [queue, bytes] of sizes.entries())
    for (let at = 0; at < packets; at++) queues.push(queue, { queue, bytes }, bytes);
  const bytes = weights.map(() => 0);
  for (let at = 0; at < packets; at++) {
    const { item } = queues.shift() ?? {};
    if (item) bytes[item.queue] = (bytes[item.queue] ?? 0) + item.bytes;
  }
  return bytes;
}

describe('weighted round robin', () => {
  test('shares bytes 3 to 1 for weights 3 and 1', () => {
    const [first = 0, second = 0] = served([3, 1], [1514, 1514], 400);
    expect([first, second]).toEqual([300 * 1514, 100 * 1514]);
  });

  test('shares bytes independent of packet sizes', () => {
    const [small = 0, large = 0] = served([1, 1], [100, 1514], 3000);
    expect(Math.abs(small - large)).toBeLessThanOrEqual(2 * 1514);
  });

  test('sends frames larger than a turn without starving other queues', () => {
    const [jumbo = 0, small = 0] = served([1, 2], [9014, 1000], 600);
    expect(Math.abs(2 * jumbo - small)).toBeLessThanOrEqual(3 * 9014);
  });

  test('gives the only busy queue all turns, without a later debt', () => {
    const queues = new Queues<string>({ weights: [1, 1], depthPackets: 100 }, 1);
    for (let at = 0; at < 10; at++) queues.push(0, 'a', 1514);
    for (let at = 0; at < 6; at++) expect(queues.shift()?.item).toBe('a');
    for (let at = 0; at < 4; at++) queues.push(1, 'b', 1514);
    const order = Array.from({ length: 8 }, () => queues.shift()?.item).join('');
    expect(order).toMatch(/^(ab){4}$|^(ba){4}$/);
    expect(queues.shift()).toBeUndefined();
  });
});

test('without weights, serves the highest priority first; priorities above the last queue use the last', () => {
  const queues = new Queues<string>({}, 2);
  queues.push(0, 'low', 100);
  queues.push(7, 'high', 100);
  expect(queues.depth(1)).toBe(1);
  expect([queues.shift()?.item, queues.shift()?.item]).toEqual(['high', 'low']);
});

test('limits each queue separately, in packets and in bytes', () => {
  const packets = new Queues<string>({ depthPackets: 1, weights: [1, 1] }, 1);
  expect([packets.push(0, 'a', 1), packets.push(0, 'b', 1), packets.push(1, 'c', 1)]).toEqual([
    true,
    false,
    true,
  ]);
  const bytes = new Queues<string>({ depthBytes: 3000 }, 1);
  expect([1500, 1500, 1].map((size) => bytes.push(0, 'x', size))).toEqual([true, true, false]);
  // The default depth is BMv2's.
  const usual = new Queues<string>({}, 1);
  expect(Array.from({ length: 65 }, () => usual.push(0, 'x', 1)).filter(Boolean)).toHaveLength(64);
});

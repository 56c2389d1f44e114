import { expect, test } from 'vitest';
import { BUFFER_RULES } from './buffer-rules.ts';

test('the rules are those of Table 1 and Theorem 5, with buffers computed by hand for 16 flows and 168 packets', () => {
  const link = { bdp_packets: 168, flows: 16, fairness: 1 };
  expect(
    BUFFER_RULES.map(({ source, formula, packets, utilization }) => [
      source,
      formula,
      packets(link) === null ? null : Number(packets(link)?.toFixed(4)),
      utilization(link),
    ]),
  ).toEqual([
    ['Table 1, [1, 12]', 'BDP', 168, 1],
    ['Table 1, §3.5', 'BDP', 168, 1],
    ['Table 1, [14-16] and §3.5', '(1/b - 1) BDP', null, 1],
    ['Table 1, §3.5', '3/7 BDP', 72, 1],
    ['Table 1, §3.5', '1/7 BDP', 24, 1],
    ['Table 1, §3.5', '1/4 BDP', 42, 1],
    ['Table 1, Theorem 4, [2]', 'BDP/√n', 42, 0.98],
    ['Theorem 5', 'ΔBDP/√n', 42, null],
    ['Table 1, Theorem 6', 'ΔBDP/√n', 42, 1],
    // By hand, with δ = 0.01: 168 / √32 · √(ln 100) = 29.698485 · 2.145966.
    ['Table 1, Theorem 8', 'ΔBDP √(ln 1/δ) / √(2n)', 63.7319, 0.99],
    // By hand: 256/168 + 4 = 5.5238 of n = 16 flows see a loss, so p = 0.345238; p BDP - n + np = 58 - 16 + 5.5238.
    ['Table 1, [13]', 'p BDP - n + np', 47.5238, 1],
    ['Table 1, §4.6', 'sΔBDP/n', 10.5, 1],
    ['Table 1, [17]', 'O(1)', null, null],
    ['Table 1, Theorem 7', 'none', 0, 0.75],
  ]);
});

test('at most all flows see a loss: with 2 flows and 4 packets, p is 1 and the buffer is the BDP', () => {
  const packets = (source: string) =>
    BUFFER_RULES.find((rule) => rule.source === source)?.packets({ bdp_packets: 4, flows: 2, fairness: 1 });
  expect(packets('Table 1, [13]')).toBeCloseTo(4, 9);
});

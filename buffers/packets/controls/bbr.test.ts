import { describe, expect, it } from 'vitest';
import { kernels } from '../kernel-rules.ts';
import { startFlows } from '../simulate-flows.ts';

/** A link with 1 Gbit/s, 10 ms and packets of 9000 bytes: 139 packets fill the path, and the queue holds 2000. */
const LINK = {
  rate_bit_s: 1e9,
  rtt_ms: [10],
  queue: { packets: 2000, at: 'tail' },
  burst_packets: 7,
} as const;
const PACKETS_A_S = 1e9 / (9000 * 8);

describe("Linux's first BBR", () => {
  const flow = {
    ...{ congestion_control: 'bbr', start_s: 0, rtt_class: 0, bytes: null, paced: false, ecn: false },
  };
  const flows = startFlows(
    { ...LINK, flows: [flow], seconds: 12, from_s: 0 },
    { kernel: kernels['5.5'], seed: 1 },
  );
  /** Number of packets acknowledged in each 50 ms. */
  const acked = Array.from({ length: 240 }, (_, index) => {
    const before = flows.counts[0]?.acked ?? 0;
    flows.runTo(50 * (index + 1));
    return (flows.counts[0]?.acked ?? 0) - before;
  });

  it('fills the link alone and keeps the queue nearly empty, for any buffer size', () => {
    const settled = acked.slice(20, 190);
    const mean = settled.reduce((sum, each) => sum + each, 0) / settled.length;
    expect(mean / (PACKETS_A_S / 20)).toBeGreaterThan(0.95);
    expect(flows.queue.dropped).toBe(0);
    // At most 2% of the packets find a fifth of the queue or more in use; a loss-based sender would fill it.
    const beyond = flows.queue.depths.slice(400).reduce((sum, each) => sum + each, 0);
    expect(beyond / flows.queue.sent).toBeLessThan(0.02);
  });

  it('keeps four packets in flight for 200 ms after ten seconds, to measure the minimum round trip', () => {
    const slow = acked.flatMap((packets, index) =>
      index > 20 && packets < 0.2 * (PACKETS_A_S / 20) ? [index] : [],
    );
    expect(slow.length).toBeGreaterThanOrEqual(3);
    expect(slow.length).toBeLessThanOrEqual(6);
    for (const index of slow) {
      expect(index * 50).toBeGreaterThanOrEqual(10_000);
      expect(index * 50).toBeLessThan(11_000);
    }
    // 50 ms contain five round trips of 10 ms with four packets each, and perhaps the start of a sixth.
    expect(Math.min(...acked.slice(20))).toBeLessThanOrEqual(4 * 6);
  });
});

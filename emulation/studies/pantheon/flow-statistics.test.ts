import { describe, expect, it } from 'vitest';
import type { MeasuredFlows } from '../../network/schemes/measured.ts';
import { findFault, jainIndex, computeStatistics } from './flow-statistics.ts';

/** 100 packets of 1250 bytes per second for each flow. Their delays are 1, 2, ... 100 ms, repeatedly. */
const measured = (flows: number, more: Partial<MeasuredFlows> = {}): MeasuredFlows => ({
  packets: Array.from({ length: flows }, (_, flow) =>
    Array.from({ length: 1000 }, (_unused, at) => {
      const delay_ms = (at % 100) + 1;
      return { flow, sent_s: at / 100 - delay_ms / 1000, delay_ms, bytes: 1250 };
    }),
  ).flat(),
  faults: Array.from({ length: flows }, () => null),
  departed_packets: 1000 * flows,
  departed_bytes: 1_264_000 * flows,
  dropped_packets: 0,
  lost_on_wire_packets: 0,
  postcards_missing: 0,
  lateness_p99_ms: 0.1,
  ...more,
});
const span = { starts_s: [0], from_s: 2, seconds: 10 };

describe('statistics of a run', () => {
  it('cover what arrives after the start-up', () => {
    // By hand: 100 packets per second of 1250 x 8 bits are 1 Mbit/s. For delays from 1 to 100 ms, the 95th percentile by
    // nearest rank is 95 ms, and the mean 50.5 ms.
    const { throughput_mbps, delay_p95_ms, delay_mean_ms, loss_pct } = computeStatistics(measured(1), span);
    expect(throughput_mbps).toBeCloseTo(1, 9);
    expect([delay_p95_ms, delay_mean_ms, loss_pct]).toEqual([95, 50.5, 0]);
  });

  it('subtract losses after the queue from all packets, and count them and drops as loss', () => {
    const lossy = measured(1, { lost_on_wire_packets: 100, dropped_packets: 1000 });
    const { throughput_mbps, loss_pct } = computeStatistics(lossy, span);
    expect(throughput_mbps).toBeCloseTo(0.9, 9);
    expect(loss_pct).toBeCloseTo((100 * 1100) / 2000, 9);
  });

  it("begin after each flow's own start-up", () => {
    const { each } = computeStatistics(measured(2), { ...span, starts_s: [0, 5] });
    expect(each.map(({ start_s }) => start_s)).toEqual([0, 5]);
    for (const { throughput_mbps } of each) expect(throughput_mbps).toBeCloseTo(1, 9);
  });

  it('compute fairness over the time in which all flows run', () => {
    const both = measured(2);
    const together_s = 7;
    // The first flow has twice as many packets until the second flow's start-up has ended, and the same number
    // afterwards.
    const packets = both.packets.flatMap((packet) =>
      packet.flow === 0 && packet.sent_s + packet.delay_ms / 1000 < together_s - 1e-6
        ? [packet, packet]
        : [packet],
    );
    const { fairness } = computeStatistics({ ...both, packets }, { ...span, starts_s: [0, 5] });
    expect(fairness).toBeCloseTo(1, 6);
    // By hand: (4 + 1 + 1)² / (3 · (16 + 1 + 1)).
    expect(jainIndex([4, 1, 1])).toBeCloseTo(36 / 54, 12);
    expect(jainIndex([5, 0, 0])).toBeCloseTo(1 / 3, 12);
  });
});

describe('a scheme without a result is reported', () => {
  it.each<[string, Partial<MeasuredFlows>, RegExp | undefined]>([
    ['one that runs', {}, undefined],
    [
      'one that ends',
      { faults: ['its sender ended with status 3 after 0.2 s'] },
      /^its sender ended with status 3/,
    ],
    [
      'one that sends nothing',
      { packets: [] },
      /^flow 1 sent 0 bytes in 10 s: the scheme sent nothing, or the path has no capacity$/,
    ],
    ['one that floods', { dropped_packets: 9000 }, /^floods the path: 90% of its packets were dropped$/],
  ])('%s', (_, more, expected) => {
    const fault = findFault(measured(1, more), span);
    if (expected) expect(fault).toMatch(expected);
    else expect(fault).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { ALGORITHMS } from './algorithm.ts';
import {
  bbrBuffer,
  coveredLosses,
  leastUtilizationOfMany,
  shareOfFlowsBuffer,
  uniformWindowsBuffer,
  windowFall,
} from './many-flows.ts';
import { bufferFor, leastUtilization, meanRenoUtilization } from './single-flow.ts';

const { reno, cubic, scalable, bbr } = ALGORITHMS;

describe('one flow has the numbers of §3.5', () => {
  // The paper truncates 0.2857 to 0.28 and rounds 0.0286 to 0.03.
  test.each([
    { algorithm: reno, full: 1, ninety: 0.8, unbuffered: 0.5 },
    { algorithm: cubic, full: 3 / 7, ninety: 0.2857, unbuffered: 0.7 },
    { algorithm: scalable, full: 1 / 7, ninety: 0.0286, unbuffered: 0.875 },
    { algorithm: bbr, full: 1 / 4, ninety: 0.15, unbuffered: 0.75 },
  ])('$algorithm.name', ({ algorithm, full, ninety, unbuffered }) => {
    expect(bufferFor(algorithm)).toBeCloseTo(full, 9);
    expect(bufferFor(algorithm, 0.9)).toBeCloseTo(ninety, 4);
    expect(leastUtilization(algorithm, 0)).toBeCloseTo(unbuffered, 9);
    expect(leastUtilization(algorithm, bufferFor(algorithm, 0.9))).toBeCloseTo(0.9, 9);
    expect(leastUtilization(algorithm, 2)).toBe(1);
    expect(bufferFor(algorithm, unbuffered / 2)).toBe(0);
  });
});

// Without a buffer, the window grows from 1/2 to 1 BDP: a mean of 3/4. With a buffer of half a BDP, it grows from 3/4
// to 3/2 BDP: for a time of 1/4 the link carries 7/8 of its rate, and for a time of 5/8 its full rate. Together it
// carries 7/32 + 20/32 of 8/32 + 20/32.
test.each([
  [0, 3 / 4],
  [0.5, 27 / 28],
  [1, 1],
  [2, 1],
])('one Reno flow with %d BDP has a mean utilization of %d', (buffer_bdp, mean) => {
  expect(meanRenoUtilization(buffer_bdp)).toBeCloseTo(mean, 12);
});

describe('many flows have the numbers of §4', () => {
  /** The backbone of the paper's §7.1: 100 ms × 100 Gbit/s = 10^10 bits, or a million packets of 1250 bytes. */
  const backbone = { bdp_packets: 1e6, flows: 10_000, fairness: 1 };

  test('10,000 flows need a hundredth of the 10 Gbit that one flow needs (§7.1)', () => {
    expect(uniformWindowsBuffer(backbone)).toBe(10_000);
    expect(windowFall(backbone)).toBe(10_000);
  });

  test('if only one flow more than the covered ones sees a loss, they need another 100-fold less (§4.6)', () => {
    expect(windowFall(backbone, 1)).toBe(100);
    // If s = cn flows see a loss, the buffer is c·BDP.
    expect(windowFall(backbone, 0.3 * 10_000)).toBeCloseTo(0.3e6, 6);
  });

  test('utilization without a buffer: 98% for 10,000 flows and Δ 2 (§4.3), 97% for 1000 (§4), above 99% for Δ below 1 (§7.1)', () => {
    expect(leastUtilizationOfMany({ ...backbone, fairness: 2 })).toBeCloseTo(0.98, 9);
    expect(leastUtilizationOfMany({ ...backbone, flows: 1000 })).toBeCloseTo(1 - 1 / 31.6228, 5);
    expect(leastUtilizationOfMany(backbone)).toBeCloseTo(0.99, 9);
  });

  test('each packet of buffer adds its share of a BDP, until the link is busy', () => {
    const four = { bdp_packets: 100, flows: 4, fairness: 1 };
    // 1 - 1/2 without a buffer, and 30 of 100 packets more with it.
    expect(leastUtilizationOfMany(four, 30)).toBeCloseTo(0.8, 9);
    expect(leastUtilizationOfMany(four, 60)).toBe(1);
    // A single flow may lose its whole window.
    expect(leastUtilizationOfMany({ ...four, flows: 1, fairness: 2 })).toBe(0);
  });

  test('Theorem 5 lets 256/330 + 4 of 16 flows see a loss at 165 packets and Δ 2 (Figure 10)', () => {
    expect(coveredLosses({ bdp_packets: 165, flows: 16, fairness: 2 })).toBeCloseTo(0.775758, 6);
  });

  test('Theorem 8: if ln 1/δ is 1, 50 flows need ΔBDP/10', () => {
    expect(bbrBuffer({ bdp_packets: 165, flows: 50, fairness: 2 }, Math.exp(-1))).toBeCloseTo(33, 9);
    // If ln 1/δ is 4, they need twice as much.
    expect(bbrBuffer({ bdp_packets: 165, flows: 50, fairness: 2 }, Math.exp(-4))).toBeCloseTo(66, 9);
  });

  test('a share of 10 flows sees a loss: all need the BDP, half of them 50 - 10 + 5, few need nothing', () => {
    const ten = { bdp_packets: 100, flows: 10 };
    expect(shareOfFlowsBuffer(ten, 1)).toBe(100);
    expect(shareOfFlowsBuffer(ten, 0.5)).toBe(45);
    expect(shareOfFlowsBuffer(ten, 0.05)).toBe(0);
  });
});

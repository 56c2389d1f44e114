import { ALGORITHMS, type AlgorithmName } from './algorithm.ts';
import {
  bbrBuffer,
  coveredLosses,
  leastUtilizationOfMany,
  shareOfFlowsBuffer,
  uniformWindowsBuffer,
  windowFall,
  type Sharing,
} from './many-flows.ts';
import { bufferFor } from './single-flow.ts';

/** A row of Table 1, or a theorem, of Updating the Theory of Buffer Sizing. */
export interface BufferRule {
  readonly source: string;
  readonly formula: string;
  /** The assumptions of the rule. */
  readonly assumes: string;
  /**
   * Returns the buffer in packets. If the rule only states an order of magnitude, its constant is taken as 1. Null if
   * the rule states no size.
   */
  readonly packets: (link: Sharing) => number | null;
  /** Returns the utilization that the rule predicts for this buffer, 0 to 1; null if it predicts none. */
  readonly utilization: (link: Sharing) => number | null;
}

const SILENT = 'the sender is silent after a loss, which Linux is not (§3.1)';
/** δ in Theorem 8 of Updating the Theory of Buffer Sizing: the probability that the link is idle. */
const IDLE = 0.01;

/**
 * Returns a rule for one flow, or for flows that all lose packets at the same time. With its buffer, the link is always
 * busy.
 */
const oneFlow = (source: string, formula: string, name: AlgorithmName, besides?: string): BufferRule => ({
  source,
  formula,
  assumes: [`one flow of ${name}, or flows that lose packets all at once`, besides]
    .filter(Boolean)
    .join('; '),
  packets: ({ bdp_packets }) => bufferFor(ALGORITHMS[name]) * bdp_packets,
  utilization: () => 1,
});

const FAIR = 'every window is within a factor of Δ of BDP/n; all flows have the same round trip';
const THEOREM_5 = `a loss leaves a fixed share of the window; at most n²/(ΔBDP) + √n flows see a loss at a time; ${FAIR}`;

/** All rules in the order of Table 1, except that Theorem 5 comes before its consequences. */
export const BUFFER_RULES: readonly BufferRule[] = [
  oneFlow('Table 1, [1, 12]', 'BDP', 'reno', SILENT),
  oneFlow('Table 1, §3.5', 'BDP', 'reno'),
  {
    ...{ source: 'Table 1, [14-16] and §3.5', formula: '(1/b - 1) BDP' },
    assumes: 'one flow, of which a loss leaves b of the window',
    packets: () => null,
    utilization: () => 1,
  },
  oneFlow('Table 1, §3.5', '3/7 BDP', 'cubic'),
  oneFlow('Table 1, §3.5', '1/7 BDP', 'scalable'),
  oneFlow('Table 1, §3.5', '1/4 BDP', 'bbr', 'in the phase that probes for bandwidth'),
  {
    ...{ source: 'Table 1, Theorem 4, [2]', formula: 'BDP/√n' },
    assumes:
      'very many flows of reno; windows are independent and uniform, which measured ones are not (§5.3)',
    packets: uniformWindowsBuffer,
    utilization: () => 0.98,
  },
  {
    ...{ source: 'Theorem 5', formula: 'ΔBDP/√n' },
    assumes: `${THEOREM_5}. A full queue never falls by more, however large the buffer`,
    packets: windowFall,
    utilization: () => null,
  },
  {
    ...{ source: 'Table 1, Theorem 6', formula: 'ΔBDP/√n', assumes: THEOREM_5 },
    packets: windowFall,
    utilization: () => 1,
  },
  {
    ...{ source: 'Table 1, Theorem 8', formula: 'ΔBDP √(ln 1/δ) / √(2n)' },
    assumes: `flows of bbr in the phase that probes for bandwidth; ${FAIR}. The link is idle with a probability of at most δ, here ${IDLE}`,
    packets: (link) => bbrBuffer(link, IDLE),
    utilization: () => 1 - IDLE,
  },
  {
    ...{ source: 'Table 1, [13]', formula: 'p BDP - n + np' },
    assumes: 'fair flows of reno, of which a share of p sees a loss at a time; here n²/(ΔBDP) + √n of them',
    packets: (link) =>
      shareOfFlowsBuffer(link, Math.min(1, (coveredLosses(link) + Math.sqrt(link.flows)) / link.flows)),
    utilization: () => 1,
  },
  {
    ...{ source: 'Table 1, §4.6', formula: 'sΔBDP/n' },
    assumes: `as Theorem 5, with n²/(ΔBDP) + s flows that see a loss at a time; here s = 1`,
    packets: (link) => windowFall(link, 1),
    utilization: () => 1,
  },
  {
    ...{ source: 'Table 1, [17]', formula: 'O(1)' },
    assumes:
      "flows of reno with bounded windows and packets paced as a Poisson process, which a kernel's senders do not do",
    packets: () => null,
    utilization: () => null,
  },
  {
    ...{ source: 'Table 1, Theorem 7', formula: 'none' },
    assumes: `${THEOREM_5}. At the worst moment, just after a loss`,
    packets: () => 0,
    utilization: leastUtilizationOfMany,
  },
];

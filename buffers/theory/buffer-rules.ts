import { ALGORITHMS, type Algorithm } from './algorithm.ts';
import {
  allSameRoundTrip,
  decreasesByFactor,
  fewSeeLoss,
  is,
  probesBandwidth,
  unknown,
  windowsOfAtLeast,
  type Assumption,
} from './assumption.ts';
import {
  bbrBuffer,
  coveredLosses,
  leastUtilizationOfMany,
  shareOfFlowsBuffer,
  uniformWindowsBuffer,
  windowFall,
  type Sharing,
} from './many-flows.ts';
import { percent, significant } from './significant.ts';
import { bufferFor, leastUtilization } from './single-flow.ts';

/** What is asked of the rules. */
export interface Bottleneck extends Sharing {
  readonly algorithm: Algorithm;
  /** Flows that see a loss beyond the covered ones: s. */
  readonly lossFlows: number;
  /** Theorem 8: how likely the link may be idle, between 0 and 1. */
  readonly idle: number;
}

/** A row of Table 1 or a theorem. */
export interface BufferRule {
  readonly source: string;
  readonly formula: string;
  /** With a constant of 1 where the rule has only an order; null where it has no number. */
  readonly buffer_packets: number | null;
  /** What the rule says of the utilization with this buffer, 0 to 1; null where it says nothing. */
  readonly utilization: number | null;
  /** What it says besides. */
  readonly remark?: string;
  readonly assumptions: readonly Assumption[];
}

/** Table 1 in its order, and Theorem 5 before its consequences: Updating the Theory of Buffer Sizing. */
export const bufferRules = (bottleneck: Bottleneck): BufferRule[] => [
  ...singleFlowRules(bottleneck),
  ...squareRootRules(bottleneck),
  ...otherRules(bottleneck),
];

const SILENCE: Assumption = {
  says: 'the sender is silent after a loss',
  holds: false,
  because: 'Linux goes on sending, by Proportional Rate Reduction (§3.1)',
};

function singleFlowRules(bottleneck: Bottleneck): BufferRule[] {
  const { algorithm, flows, bdp_packets } = bottleneck;
  const alone: Assumption = {
    says: 'one flow, or flows that lose packets all at once',
    holds: flows === 1 ? true : null,
  };
  const rule = (
    source: string,
    formula: string,
    of: Algorithm | undefined,
    assumptions: readonly Assumption[],
  ): BufferRule => ({
    source,
    formula,
    buffer_packets: of ? bufferFor(of) * bdp_packets : null,
    utilization: of ? 1 : null,
    ...(of && { remark: `${percent(leastUtilization(of, 0))} without a buffer` }),
    assumptions: [...assumptions, alone],
  });
  const { reno, cubic, scalable, bbr } = ALGORITHMS;
  const own = algorithm.atLoss === 'multiply' ? algorithm : undefined;
  const byFactor = decreasesByFactor(algorithm);
  return [
    rule('Table 1, [1, 12]', 'BDP', reno, [is(algorithm, 'reno'), SILENCE]),
    rule('Table 1, §3.5', 'BDP', reno, [is(algorithm, 'reno')]),
    rule('Table 1, [14-16]', '(1/b - 1) BDP', own, [byFactor, SILENCE]),
    rule('Table 1, §3.5', '(1/b - 1) BDP', own, [byFactor]),
    rule('Table 1, §3.5', '3/7 BDP', cubic, [is(algorithm, 'cubic')]),
    rule('Table 1, §3.5', '1/7 BDP', scalable, [is(algorithm, 'scalable')]),
    rule('Table 1, §3.5', '1/4 BDP', bbr, [is(algorithm, 'bbr'), probesBandwidth]),
  ];
}

const almostFair = ({ fairness }: Bottleneck): Assumption =>
  unknown(`every window is within a factor of ${fairness} of BDP/n`);

/** Of Theorem 5 and what follows from it. */
const ofTheorem5 = (bottleneck: Bottleneck, losses = fewSeeLoss(bottleneck)): readonly Assumption[] => [
  decreasesByFactor(bottleneck.algorithm),
  ...(bottleneck.algorithm.atLoss === 'multiply' ? [windowsOfAtLeast(bottleneck.algorithm, bottleneck)] : []),
  almostFair(bottleneck),
  losses,
  allSameRoundTrip,
];

function squareRootRules(bottleneck: Bottleneck): BufferRule[] {
  const { algorithm, idle } = bottleneck;
  const fall = windowFall(bottleneck);
  return [
    {
      source: 'Table 1, Theorem 4, [2]',
      formula: 'BDP/√n',
      buffer_packets: uniformWindowsBuffer(bottleneck),
      utilization: 1,
      remark: 'but for 2% of the time, with very many flows',
      assumptions: [
        is(algorithm, 'reno'),
        {
          says: 'windows are independent and uniform',
          holds: false,
          because: 'measured ones are not (§5.3)',
        },
      ],
    },
    {
      source: 'Theorem 5',
      formula: 'ΔBDP/√n',
      buffer_packets: fall,
      utilization: null,
      remark: 'a full queue never falls by more than that, however large the buffer',
      assumptions: ofTheorem5(bottleneck),
    },
    {
      source: 'Table 1, Theorem 6',
      formula: 'ΔBDP/√n',
      buffer_packets: fall,
      utilization: 1,
      assumptions: ofTheorem5(bottleneck),
    },
    {
      source: 'Table 1, Theorem 8',
      formula: 'ΔBDP √(ln 1/δ) / √(2n)',
      buffer_packets: bbrBuffer(bottleneck, idle),
      utilization: 1,
      remark: `but for at most ${percent(idle)} of the time`,
      assumptions: [is(algorithm, 'bbr'), probesBandwidth, almostFair(bottleneck), allSameRoundTrip],
    },
  ];
}

/** Of how many flows lose packets, and those that need next to none. */
function otherRules(bottleneck: Bottleneck): BufferRule[] {
  const { algorithm, lossFlows, flows } = bottleneck;
  const losing = Math.min(flows, coveredLosses(bottleneck) + lossFlows);
  return [
    {
      source: 'Table 1, [13]',
      formula: 'p BDP - n + np',
      buffer_packets: shareOfFlowsBuffer(bottleneck, losing / flows),
      utilization: 1,
      assumptions: [
        is(algorithm, 'reno'),
        unknown(`at most ${percent(losing / flows)} of fair flows see a loss`),
      ],
    },
    {
      source: 'Table 1, §4.6',
      formula: 'sΔBDP/n',
      buffer_packets: windowFall(bottleneck, lossFlows),
      utilization: 1,
      remark: `${percent(leastUtilizationOfMany(bottleneck, { lossFlows }))} without a buffer`,
      assumptions: ofTheorem5(bottleneck, unknown(`at most ${significant(losing)} flows see a loss`)),
    },
    {
      source: 'Table 1, [17]',
      formula: 'O(1)',
      buffer_packets: null,
      utilization: null,
      assumptions: [
        is(algorithm, 'reno'),
        {
          says: 'windows are bounded and packets paced as a Poisson process',
          holds: false,
          because: "the kernel's senders do neither",
        },
      ],
    },
    {
      source: 'Table 1, Theorem 7',
      formula: 'any',
      buffer_packets: 0,
      utilization: leastUtilizationOfMany(bottleneck),
      remark: 'at the worst moment, just after a loss',
      assumptions: ofTheorem5(bottleneck),
    },
  ];
}

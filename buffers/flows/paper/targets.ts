import { meanOrNull } from '../../../emulation/ground/statistics/percentiles.ts';
import { coveredLosses } from '../../theory/many-flows.ts';
import { meanRenoUtilization } from '../../theory/single-flow.ts';
import { percent } from '../all-runs-table.ts';
import type { CellRun } from '../figures/figure.ts';
import { neededBuffers } from '../figures/figure-5.ts';
import { isPlain, median, medians, fitPower } from '../figures/statistics.ts';
import type { LinkSize } from '../link-size.ts';
import { bufferPackets, type Cell } from './cell.ts';

/** A target that the project has set for itself, and the result of the runs. */
export interface Target {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

const FULL_P1 = 0.99;
const POINTS_APART = 0.05;
const SMALL_BUFFERS = [0.1, 0.25, 0.5];
const SLOPE = { least: -0.65, most: -0.35 };
const SLOPE_FLOWS = [1, 4, 16, 64];
/** Δ in Theorem 5 of Updating the Theory of Buffer Sizing: at most n²/(Δ·BDP) + √n of n flows see a loss at a time. */
const FAIRNESS = 2;
const FAIRNESS_FLOWS = 16;

const packets = (count: number): string => count.toFixed(0);

/** The targets that these runs can check, in the order of the paper's figures. */
export const makeTargets = (runs: readonly CellRun[], link: LinkSize): Target[] => {
  const reno = runs.filter(({ cell }) => cell.congestion === 'reno');
  return [
    ...busyAtOneBdp(reno),
    ...meansOfSmallBuffers(reno, link),
    ...slopes(reno, link),
    ...reactions(reno),
    ...synchronization(reno, link),
    ...fairness(reno),
  ];
};

const ofOneFlow = (runs: readonly CellRun[], buffer_bdp: number): CellRun[] =>
  runs.filter(({ cell }) => isPlain(cell) && cell.flows === 1 && cell.buffer_bdp === buffer_bdp);

const busyAtOneBdp = (runs: readonly CellRun[]): Target[] =>
  medians(ofOneFlow(runs, 1), ({ result }) => result.utilization.p1_8rtt).map(({ value }) => ({
    what: 'one Reno flow, 1 BDP: 1st percentile of windows of 8 round trips',
    target: `at least ${percent(FULL_P1)}`,
    measured: percent(value),
    met: value >= FULL_P1,
  }));

const meansOfSmallBuffers = (runs: readonly CellRun[], link: LinkSize): Target[] =>
  SMALL_BUFFERS.flatMap((buffer_bdp) =>
    medians(ofOneFlow(runs, buffer_bdp), ({ result }) => result.utilization.mean).map(({ value }) => {
      const buffer = bufferPackets({ buffer_bdp }, link);
      const theory = meanRenoUtilization(buffer / link.bdp_packets);
      return {
        what: `one Reno flow, ${buffer_bdp} BDP (${buffer} packets): mean`,
        target: `within 5 points of the theory's ${percent(theory)}`,
        measured: percent(value),
        met: Math.abs(value - theory) <= POINTS_APART,
      };
    }),
  );

/** Targets of Figure 5: one for each level of utilization that has a needed buffer for all of `SLOPE_FLOWS`. */
function slopes(runs: readonly CellRun[], { bdp_packets }: LinkSize): Target[] {
  const needed = neededBuffers(runs).filter(
    ({ rtts, flows, atMost }) => rtts === 'same' && !atMost && SLOPE_FLOWS.includes(flows),
  );
  const rule = SLOPE_FLOWS.map((flows) => packets(bdp_packets / Math.sqrt(flows))).join(', ');
  return [...new Set(needed.map(({ level }) => level))].flatMap((level) => {
    const points = needed.filter((each) => each.level === level).toSorted((a, b) => a.flows - b.flows);
    const slope = fitPower(points.map(({ flows, buffer }) => ({ x: flows, y: buffer })));
    if (slope === null || points.length < SLOPE_FLOWS.length) return [];
    return {
      what: `Figure 5: slope of log buffer against log n, n = ${SLOPE_FLOWS.join(', ')}, ${level} utilization`,
      target: `${SLOPE.least} to ${SLOPE.most} (the paper's rule, -0.5: ${rule} packets)`,
      measured: `${slope.toFixed(2)} (${points.map(({ buffer }) => packets(buffer)).join(', ')} packets)`,
      met: slope >= SLOPE.least && slope <= SLOPE.most,
    };
  });
}

/** Targets of Figure 8: the flows that react to a loss. */
function reactions(runs: readonly CellRun[]): Target[] {
  const meanReacting = (at: Cell['at']) =>
    meanOrNull(runs.filter(({ cell }) => cell.at === at).flatMap(({ result }) => result.loss_events.flows));
  const [drop, mark] = [meanReacting('drop'), meanReacting('mark')];
  if (drop === null || mark === null) return [];
  return [
    {
      what: 'Figure 8: flows of 16 that react in a round trip with losses or marks, mean',
      target: 'more with ECN than with drop',
      measured: `${mark.toFixed(1)} with ECN, ${drop.toFixed(1)} with drop`,
      met: mark > drop,
    },
  ];
}

/** Targets of Figure 10, for equal and for different round trips. */
function synchronization(runs: readonly CellRun[], { bdp_packets }: LinkSize): Target[] {
  return (['same', 'spread'] as const).flatMap((rtts) => {
    const points = medians(
      runs.filter(({ cell }) => cell.flows > 1 && cell.buffer_bdp === 1 && isPlain(cell, rtts)),
      ({ result }) => median(result.loss_events.flows),
    ).map(({ cell: { flows }, value }) => ({
      ...{ flows, value },
      bound: coveredLosses({ bdp_packets, flows, fairness: FAIRNESS }) + Math.sqrt(flows),
    }));
    if (points.length === 0) return [];
    const shown = points
      .toSorted((a, b) => a.flows - b.flows)
      .map(({ flows, value, bound }) => `n = ${flows}: ${value} of ${bound.toFixed(1)}`);
    return {
      what: `Figure 10: flows that see a loss in the same round trip, median, ${rtts === 'same' ? 'one round trip' : 'round trips spread by ±10%'}`,
      target: 'below the bound n²/(2 BDP) + √n',
      measured: shown.join('; '),
      met: points.every(({ value, bound }) => value < bound),
    };
  });
}

/** Targets of Figure 11, right side: as the buffer grows, the smallest windows come closer to the fair share. */
function fairness(runs: readonly CellRun[]): Target[] {
  const of = runs.filter(({ cell }) => isPlain(cell) && cell.flows === FAIRNESS_FLOWS);
  const deltas = medians(of, ({ result: { fairness: f } }) => (f.least ? 1 / f.least : null)).toSorted(
    (a, b) => a.buffer_packets - b.buffer_packets,
  );
  const slope = fitPower(deltas.map(({ buffer_packets, value }) => ({ x: buffer_packets, y: value })));
  if (slope === null) return [];
  return [
    {
      what: `Figure 11: Δ of the smallest windows of ${FAIRNESS_FLOWS} flows against the buffer`,
      target: "falls, as the paper's",
      measured: deltas
        .map(({ buffer_packets, value }) => `${value.toFixed(1)} with ${buffer_packets}`)
        .join(', ')
        .concat(' packets'),
      met: slope < 0,
    },
  ];
}

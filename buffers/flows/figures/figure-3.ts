import * as Plot from '@observablehq/plot';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName } from '../../theory/algorithm.ts';
import { bufferFor, leastUtilization, meanRenoUtilization } from '../../theory/single-flow.ts';
import type { LinkSize } from '../link-size.ts';
import { makeCell } from '../paper/cell.ts';
import { NEUTRAL, congestionColor } from '../charts/colors.ts';
import { runsWhere, type BufferFigure, type CellRun, type Findings } from './figure.ts';
import { isPlain, medians } from './statistics.ts';

const BUFFERS = {
  quick: [0.1, 0.25, 0.5, 1],
  full: [0.03, 0.06, 0.1, 1 / 7, 0.25, 3 / 7, 0.5, 0.75, 1, 1.4, 2],
};

const ofOneFlow = (runs: readonly CellRun[], name: string): CellRun[] =>
  runsWhere(runs, (cell) => isPlain(cell) && cell.congestion === name && cell.flows === 1);

const MEASURES = [
  { name: 'mean', of: ({ result }: CellRun) => result.utilization.mean },
  { name: 'p1 of 8 RTTs', of: ({ result }: CellRun) => result.utilization.p1_8rtt },
  { name: 'p1 of one RTT', of: ({ result }: CellRun) => result.utilization.p1_1rtt },
  {
    name: 'p1 of 8 RTTs without RTT probes',
    of: ({ result }: CellRun) => result.utilization.p1_8rtt_no_probe_rtt ?? null,
  },
] as const;

function draw(runs: readonly CellRun[], link: LinkSize): Markup[] {
  return ALGORITHM_NAMES.flatMap((name) => {
    const own = ofOneFlow(runs, name);
    return own.length === 0 ? [] : [chart(name, own, link)];
  });
}

function chart(name: AlgorithmName, runs: readonly CellRun[], { bdp_packets }: LinkSize): Markup {
  const most = Math.max(...runs.map(({ buffer_packets }) => buffer_packets)) * 1.05;
  const theory = Array.from({ length: 201 }, (_, index) => (index / 200) * most).map((buffer) => ({
    buffer,
    share: leastUtilization(ALGORITHMS[name], buffer / bdp_packets),
    mean: meanRenoUtilization(buffer / bdp_packets),
  }));
  const [mean, eight, one, withoutProbes] = MEASURES.map(({ of }) =>
    medians(runs, of).map(({ buffer_packets, value }) => ({ buffer: buffer_packets, share: value })),
  );
  const color = congestionColor(name);
  const at = { x: 'buffer', y: 'share', r: 4 } as const;
  const busyFrom = bufferFor(ALGORITHMS[name]) * bdp_packets;
  return svg(`utilization of ${name} against buffer`, {
    width: 380,
    height: 280,
    marginLeft: 40,
    x: { label: 'buffer (packets)', domain: [0, most], ticks: 6 },
    y: {
      ...{ label: `${name}: utilization`, domain: [0, 1.03] },
      ...{ tickFormat: '.0%', grid: true, ticks: 6 },
    },
    marks: [
      Plot.ruleX([busyFrom], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '4 3' }),
      Plot.lineY(theory, { x: 'buffer', y: 'share', stroke: NEUTRAL, strokeWidth: 1.4 }),
      ...(name === 'reno'
        ? [Plot.lineY(theory, { x: 'buffer', y: 'mean', stroke: NEUTRAL, strokeDasharray: '2 3' })]
        : []),
      Plot.dot(mean ?? [], { ...at, stroke: color, symbol: 'diamond' }),
      Plot.dot(one ?? [], { ...at, stroke: color }),
      Plot.dot(eight ?? [], { ...at, fill: color }),
      Plot.dot(withoutProbes ?? [], { ...at, fill: color, symbol: 'triangle' }),
    ],
  });
}

const findings = (runs: readonly CellRun[], { bdp_packets }: LinkSize): Findings =>
  Object.fromEntries([
    ...ALGORITHM_NAMES.flatMap((name) =>
      MEASURES.flatMap((measure) =>
        medians(ofOneFlow(runs, name), measure.of).map(
          ({ buffer_packets, value }) =>
            [`${name}_${buffer_packets}_packets_${measure.name}`, value] as const,
        ),
      ),
    ),
    ...medians(ofOneFlow(runs, 'reno'), MEASURES[0].of).map(
      ({ buffer_packets }) =>
        [
          `reno_${buffer_packets}_packets_mean by theory`,
          meanRenoUtilization(buffer_packets / bdp_packets),
        ] as const,
    ),
  ]);

export const figure3: BufferFigure = {
  number: 3,
  title: 'Utilization of one flow against the buffer',
  caption:
    'Filled: the 1st percentile over windows of eight round trips, as in the paper (§3.6); hollow: over windows of one, of ' +
    'which its theory speaks; diamonds: the mean. Line: the least by the theory (§3.5), and for Reno, dotted, the mean by ' +
    'the same assumptions; dashed: the buffer from which on they expect a busy link. Triangles: without the windows in which BBR probed for the minimum RTT, with four packets in flight, ' +
    'which the theory leaves out. Paper: Figure 3.',
  columns: 3,
  cells: (form) =>
    ALGORITHM_NAMES.flatMap((name) => BUFFERS[form].map((buffer) => makeCell(name, 1, buffer))),
  draw,
  findings,
};

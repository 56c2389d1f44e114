import { congestionControls } from '../../../emulation/network/congestion/index.ts';
import { ALGORITHM_NAMES } from '../../theory/algorithm.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import type { LinkSize } from '../link-size.ts';
import type { Cell } from '../paper/cell.ts';
import type { TrafficResult } from '../../traffic/traffic-result.ts';

/** A figure of Updating the Theory of Buffer Sizing: the cells that it needs, and how it is drawn from their runs. */
export interface BufferFigure {
  /** The paper's number of the figure. */
  readonly number: number;
  readonly title: string;
  /** How to read it, and what differs from the paper. */
  readonly caption: string;
  readonly columns?: number;
  /** Cells of the same name are made once for all figures. `others` are congestion controls beside the paper's. */
  readonly cells: (form: 'quick' | 'full', others: readonly string[]) => readonly Cell[];
  /** Draws what is finished of its cells, all or some; nothing to draw is no chart. */
  readonly draw: (runs: readonly CellRun[], link: LinkSize) => readonly Markup[];
  /** The numbers that the figure is about, for `summary.json` and the log. */
  readonly findings?: (runs: readonly CellRun[], link: LinkSize) => Findings;
}

export type Findings = Readonly<Record<string, number | null>>;

/** A finished run of a cell. */
export interface CellRun {
  readonly cell: Cell;
  readonly name: string;
  readonly k: number;
  readonly buffer_packets: number;
  readonly result: TrafficResult;
  /** Reads the run's files, which are large. */
  readonly packets: () => PacketRow[];
  readonly windows: () => WindowRow[];
}

/** A data packet at the bottleneck. */
export interface PacketRow {
  readonly t_s: number;
  readonly flow: number;
  readonly fate: string;
  /** Number of packets in the queue when this packet arrived. */
  readonly depth_packets: number;
}

/** A flow's window at an ACK. */
export interface WindowRow {
  readonly t_s: number;
  readonly flow: number;
  readonly cwnd_packets: number;
  readonly srtt_ms: number;
}

/** The runs that belong to one of the figure's cells. */
export const runsWhere = (runs: readonly CellRun[], fits: (cell: Cell) => boolean): CellRun[] =>
  runs.filter(({ cell }) => fits(cell));

/** Linux's first, as the paper has them in its Figures 2 and 6. */
export const LINUX_FIRST: readonly string[] = [true, false].flatMap((isInLinux) =>
  ALGORITHM_NAMES.filter((name) => congestionControls[name].isInLinux === isInLinux),
);

/** The congestion controls of a figure: the paper's, and the additionally requested ones. */
export const comparedIn = (runs: readonly CellRun[], papers: readonly string[]): string[] => [
  ...new Set([...papers, ...runs.map(({ cell }) => cell.congestion)]),
];

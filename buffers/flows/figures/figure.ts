import { congestionControls } from '../../../emulation/network/congestion/index.ts';
import { ALGORITHM_NAMES } from '../../theory/algorithm.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import type { LinkSize } from '../link-size.ts';
import type { Cell } from '../paper/cell.ts';
import type { TrafficResult } from '../../traffic/traffic-result.ts';

/** A figure of Updating the Theory of Buffer Sizing: the cells whose runs it needs, and how to draw it. */
export interface BufferFigure {
  /** The number of the figure in the paper. */
  readonly number: number;
  readonly title: string;
  /** Explains how to read the figure, and how it differs from the paper's figure. */
  readonly caption: string;
  readonly columns?: number;
  /**
   * Returns the cells that the figure needs. Cells with the same name are run once for all figures. `others` are
   * congestion controls in addition to the paper's.
   */
  readonly cells: (form: 'quick' | 'full', others: readonly string[]) => readonly Cell[];
  /** Draws the charts of the finished runs. Returns no chart if there is nothing to draw. */
  readonly draw: (runs: readonly CellRun[], link: LinkSize) => readonly Markup[];
  /** Computes the numbers that the figure shows, for `summary.json` and the log. */
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
  /** Reads the run's packets from its file on demand, because the file is large. */
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

/** Returns the runs whose cell satisfies a condition. */
export const runsWhere = (runs: readonly CellRun[], fits: (cell: Cell) => boolean): CellRun[] =>
  runs.filter(({ cell }) => fits(cell));

/** The names of all algorithms, those in Linux first, as in the paper's Figures 2 and 6. */
export const LINUX_FIRST: readonly string[] = [true, false].flatMap((isInLinux) =>
  ALGORITHM_NAMES.filter((name) => congestionControls[name].isInLinux === isInLinux),
);

/** Returns the congestion controls of a figure: the paper's, followed by the additionally requested ones. */
export const comparedIn = (runs: readonly CellRun[], papers: readonly string[]): string[] => [
  ...new Set([...papers, ...runs.map(({ cell }) => cell.congestion)]),
];

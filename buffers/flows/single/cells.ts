import { congestionControls } from '../../../emulation/network/congestion/index.ts';
import { ALGORITHM_NAMES, type AlgorithmName } from '../../theory/algorithm.ts';
import { linkSize } from '../link-size.ts';
import { cellOf, type Cell } from '../paper/cell.ts';

/**
 * The bottleneck of the experiment: Sammy's 40 Mbit/s (§6), and a round trip that makes the bandwidth-delay product 165
 * packets, as in the paper (§3.6). With a smaller product, bursts of twenty packets would be a large part of it.
 */
export const LINK = linkSize({}, undefined, { rate_mbps: 40, rtt_ms: 50 });

/** Linux's own. */
export const CONGESTION_CONTROLS = ALGORITHM_NAMES.filter((name) => congestionControls[name].ofLinux);

/** The buffers in bandwidth-delay products; 0.43 is Cubic's 3/7. */
const BUFFERS_BDP = [0.05, 0.1, 0.25, 0.43, 0.5, 1, 2];

/** A run of one long flow through one buffer, `reno@1bdp`. */
export interface SingleRun {
  readonly cell: string;
  readonly congestion_control: AlgorithmName;
  readonly buffer_bdp: number;
  readonly k: number;
}

export interface SingleCell extends Cell {
  readonly congestion: AlgorithmName;
}

/** By name: cells of the buffer paper, which have names of their own here. */
export const singleCells: ReadonlyMap<string, SingleCell> = new Map(
  CONGESTION_CONTROLS.flatMap((congestion) =>
    BUFFERS_BDP.map((buffer_bdp) => [
      `${congestion}@${buffer_bdp}bdp`,
      { ...cellOf(congestion, 1, buffer_bdp), congestion },
    ]),
  ),
);

import { congestionControls } from '../../congestion/index.ts';
import { ALGORITHM_NAMES } from '../../theory/algorithm.ts';
import type { CellRun } from './figure.ts';

/** Linux's first, as the paper has them in its Figures 2 and 6. */
export const LINUX_FIRST: readonly string[] = [true, false].flatMap((ofLinux) =>
  ALGORITHM_NAMES.filter((name) => congestionControls[name].ofLinux === ofLinux),
);

/** The congestion controls of a picture: the paper's, and those that were asked for beside them. */
export const comparedIn = (runs: readonly CellRun[], papers: readonly string[]): string[] => [
  ...new Set([...papers, ...runs.map(({ cell }) => cell.congestion)]),
];

import { readRuns } from '../run-files.ts';
import { cellsOf, type PantheonSettings } from '../settings.ts';
import type { SchemeRuns } from './charts.ts';

/** One path with one number of flows. */
export interface Scenario {
  readonly path: string;
  readonly flows: number;
  readonly schemes: readonly SchemeRuns[];
}

/** Reads the runs of each scenario, all or some. */
export function scenariosOf(outDir: string, settings: PantheonSettings): Scenario[] {
  const cells = cellsOf(settings);
  return Object.keys(settings.paths).flatMap((path) =>
    settings.flows.map((flows) => ({
      ...{ path, flows },
      schemes: cells
        .filter((cell) => cell.path === path && cell.flows === flows)
        .map((cell) => ({ scheme: cell.scheme, results: readRuns(outDir, cell) })),
    })),
  );
}

export const titleOf = ({ path, flows }: Scenario): string =>
  `${path}, ${flows === 1 ? '1 flow' : `${flows} flows`}`;

import type { Experiment, PlannedRun, Settings } from '../../runs/experiment.ts';
import { makeLive } from '../live-cells.ts';
import { trafficOf, type Cell } from './cell.ts';
import { cellsOf, planPaper, type PaperSettings } from './settings.ts';
import { writePaperReport } from './write-report.ts';

/** Runs the flows of every figure of the buffer paper, one cell after the other. */
export const paperExperiment = (
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
): Experiment<PaperSettings> => ({
  ...about,
  plan: (asked, before) => planPaper(about, asked, before),
  make(settings, workshop) {
    const { from_s, seconds } = settings;
    const live = {
      cells: cellsOf(settings),
      controlsOf: ({ congestion }: Cell) => [congestion],
      runOf: (cell: Cell, { k }: PlannedRun) => ({
        traffic: trafficOf(cell, settings, { from_s, seconds, seed: k }),
        kept: { as: 'series' } as const,
      }),
    };
    return makeLive(live, settings, workshop);
  },
  report: writePaperReport,
});

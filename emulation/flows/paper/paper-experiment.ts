import { liveLack } from '../../../p4/switch/live/live-lack.ts';
import { removeStaleLinks } from '../../links/stale.ts';
import type { Experiment, Making, PlannedRun, Settings } from '../../runs/experiment.ts';
import { inProcess } from '../../runs/in-process.ts';
import { trafficOf } from './cell.ts';
import type { CellSpec } from './run-cell.ts';
import { cellsOf, planPaper, type PaperSettings } from './settings.ts';
import { writePaperReport } from './write-report.ts';

/** The time that a run may take beyond its flows, s. */
const PATIENCE_S = 180;

/** Runs the flows of every figure of the buffer paper, one cell after the other. */
export const paperExperiment = (
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
): Experiment<PaperSettings> => ({
  ...about,
  plan: (asked, before) => planPaper(about, asked, before),
  make: makeCells,
  report: writePaperReport,
});

async function makeCells(settings: PaperSettings): Promise<Making> {
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
  await removeStaleLinks();
  const cells = cellsOf(settings);
  return {
    run({ cell: name, k }: PlannedRun, folder, signal) {
      const cell = cells.get(name);
      if (!cell) throw new Error(`there is no cell '${name}'`);
      const { from_s, seconds } = settings;
      const spec: CellSpec = { traffic: trafficOf(cell, settings, { from_s, seconds, seed: k }), folder };
      return inProcess(new URL('process.ts', import.meta.url), spec, {
        within_s: seconds + PATIENCE_S,
        signal,
      });
    },
  };
}

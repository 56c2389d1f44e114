import { liveLack } from '../../../p4/switch/live/live-lack.ts';
import { removeStale } from '../../runs/remove-stale.ts';
import type { Experiment, Making, PlannedRun, Settings, Workshop } from '../../runs/experiment.ts';
import { inProcess } from '../../runs/in-process.ts';
import { loadCongestionControls } from '../../congestion/congestion-controls.ts';
import { trafficOf } from './cell.ts';
import { cellRun } from './cell-spec.ts';
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

async function makeCells(settings: PaperSettings, { print, onClose }: Workshop): Promise<Making> {
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
  await removeStale();
  const cells = cellsOf(settings);
  const wanted = [...cells.values()].map(({ congestion }) => congestion);
  const controls = await loadCongestionControls(wanted, print);
  onClose(() => controls.close());
  const { names, lacking } = controls;
  return {
    skipped: Object.fromEntries(
      [...cells].flatMap(([name, { congestion }]) => {
        const reason = lacking[congestion];
        return reason === undefined ? [] : [[name, `the flows of ${congestion}: ${reason}`]];
      }),
    ),
    run({ cell: name, k }: PlannedRun, folder, signal) {
      const cell = cells.get(name);
      if (!cell) throw new Error(`there is no cell '${name}'`);
      const { from_s, seconds } = settings;
      const traffic = trafficOf(cell, settings, { from_s, seconds, seed: k });
      return inProcess(
        cellRun,
        { traffic, names, folder },
        {
          within_s: seconds + PATIENCE_S,
          signal,
        },
      );
    },
  };
}

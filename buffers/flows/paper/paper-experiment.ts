import type { Study, PlannedRun, Settings } from '../../../emulation/harness/runs/study.ts';
import { FLOW_PLACES } from '../flow-options.ts';
import { makeLive } from '../live-cells.ts';
import { cellTraffic, type Cell } from './cell.ts';
import { BUFFER_PAPER_OPTIONS } from './options.ts';
import type { PaperSettings } from './settings.ts';

/** Runs the flows of every figure of the buffer paper, one cell after the other. */
export const paperExperiment = (
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
): Study<typeof BUFFER_PAPER_OPTIONS, PaperSettings> => ({
  ...about,
  options: BUFFER_PAPER_OPTIONS,
  places: FLOW_PLACES,
  record: 'result.json',
  // Loaded on demand, because a plan needs the figures, and the figures import the charts.
  plan: async (asked, before) => (await import('./settings.ts')).planPaper(about, asked, before),
  async make(settings, context) {
    const { plannedCells } = await import('./settings.ts');
    const { from_s, seconds } = settings;
    const live = {
      cells: plannedCells(settings),
      listControls: ({ congestion }: Cell) => [congestion],
      makeSpec: (cell: Cell, { k }: PlannedRun) => ({
        traffic: cellTraffic(cell, settings, { from_s, seconds, seed: k }),
        kept: { as: 'series' } as const,
      }),
    };
    return makeLive(live, settings, context);
  },
  loadReport: () => import('./write-report.ts'),
  report: async (outDir) => (await import('./write-report.ts')).writePaperReport(outDir),
});

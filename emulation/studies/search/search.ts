import { places } from '../../harness/runs/place.ts';
import type { Study } from '../../harness/runs/study.ts';
import { ABOUT, SEARCH_OPTIONS, type SearchSettings, readSettings } from './settings.ts';
import { CONFIRMED, RECORD, TRIAL } from './records.ts';

/**
 * Searches for better constants, by Optuna and the model: a Pareto front of chunk throughput, stalls and SSIM on half
 * of the traces, then three points of the front and the defaults on the other half. Each trial is a run, which begins
 * after the earlier trials; `--jobs` is the number of a trial's parallel sessions.
 */
export const search: Study<typeof SEARCH_OPTIONS, SearchSettings> = {
  ...ABOUT,
  options: SEARCH_OPTIONS,
  places: places(['model', 'virtual', 'virtual']),
  record: RECORD,
  async plan(asked, before) {
    const settings = await readSettings(asked, before);
    const trials = Array.from({ length: settings.runs }, (_, index) => ({ cell: TRIAL, k: index + 1 }));
    const runs = [...trials, { cell: CONFIRMED, k: settings.runs }].map((run, stage) => ({
      ...run,
      stage,
      group: ABOUT.name,
    }));
    return { settings, runs, units: 'in the names of the fields', overhead_s: 0 };
  },
  make: async (settings, context) => (await import('./make-search.ts')).makeSearch(settings, context),
  loadReport: () => import('./results.ts'),
  report: async (outDir) => (await import('./results.ts')).reportSearch(outDir),
  outcome: async (outDir) => (await import('./results.ts')).searchLines(outDir),
};

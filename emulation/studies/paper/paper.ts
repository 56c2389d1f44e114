import { list, wholeNumber } from '../../../system/command-line/parsers.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { places } from '../../harness/runs/place.ts';
import type { StudyRequest, Plan, Runner, RunContext, Settings, Study } from '../../harness/runs/study.ts';
import type { Measurement } from './measurement.ts';
import { seedRun, VALUES_FILE } from './seed-run.ts';

const OPTIONS = {
  only: { valueName: 'A,B', about: 'only these measurements (all)', parse: list },
  quick: { about: 'fewer seeds and shorter runs, with wide intervals: 20 minutes with --jobs 2' },
  runs: {
    valueName: 'N',
    about: 'seeds of each measurement, instead of its own number',
    parse: wholeNumber(1),
  },
} as const;

export interface PaperSettings extends Settings {
  readonly form: 'quick' | 'full';
  readonly measurements: readonly string[];
}

/** A run is stopped after this multiple of its estimated time, because even on a busy machine it must be stuck. */
const STUCK_FACTOR = 20;
const LEAST_LIMIT_S = 3600;

/** Loaded on demand, because the measurements need the players and networks, but listing studies does not. */
const loadMeasurements = () => import('./measurements/index.ts');

const about = {
  name: 'paper',
  about:
    "the evidence of the gallery: every exhibit's numbers with intervals over seeds; --quick, --only A,B",
  figure: 'all papers',
};

/**
 * Measures the numbers of the papers' figures and tables, once per seed, and judges whether they agree with the papers'
 * numbers.
 */
export const paper: Study<typeof OPTIONS, PaperSettings> = {
  ...about,
  options: OPTIONS,
  places: places(['model', 'virtual', 'virtual']),
  record: VALUES_FILE,
  plan,
  make,
  loadReport: () => import('./write-evidence.ts'),
  report: async (outDir) => (await import('./write-evidence.ts')).writeEvidence(outDir),
  outcome: async (outDir) => (await import('./write-evidence.ts')).verdictLines(outDir),
};

async function plan(
  { only, quick, runs }: StudyRequest<typeof OPTIONS>,
  before?: PaperSettings,
): Promise<Plan<PaperSettings>> {
  const { measurementNamed, measurements } = await loadMeasurements();
  const form = quick ? 'quick' : (before?.form ?? 'full');
  const names = only ?? before?.measurements ?? measurements.map(({ name }) => name);
  const chosen = names.map(measurementNamed);
  const countSeeds = ({ seeds }: Measurement) => runs ?? seeds[form];
  const planned = chosen.flatMap((each) =>
    Array.from({ length: countSeeds(each) }, (_, index) => ({
      cell: each.name,
      k: index + 1,
      group: `${each.name}/${index + 1}`,
    })),
  );
  const cost_s = planned.reduce((sum, { cell }) => sum + measurementNamed(cell).cost_s[form], 0);
  return {
    settings: {
      ...about,
      ...{ form, measurements: names },
      runs: Math.max(...chosen.map(countSeeds)),
      seconds: 0,
    },
    runs: planned,
    units: 'in the names of the metrics',
    overhead_s: cost_s / planned.length,
  };
}

async function make(
  { form, measurements: names, runs }: PaperSettings,
  { jobs, seed, print, asked }: RunContext<typeof OPTIONS>,
): Promise<Runner> {
  const { measurementNamed } = await loadMeasurements();
  const cost_s = names
    .map(measurementNamed)
    .reduce((sum, each) => sum + (asked.runs ?? Math.min(runs, each.seeds[form])) * each.cost_s[form], 0);
  print({
    task: `Estimate: ${minutes(cost_s)} of processor time, ${minutes(cost_s / jobs)} with --jobs ${jobs}`,
    lasting: true,
  });
  return {
    run({ cell, k }, folder, signal) {
      const { cost_s: costs } = measurementNamed(cell);
      const within_s = Math.max(LEAST_LIMIT_S, STUCK_FACTOR * costs[form]);
      const spec = { measurement: cell, seed: seed + k - 1, quick: form === 'quick', folder };
      return inProcess(seedRun, spec, { within_s, signal });
    },
  };
}

const minutes = (seconds: number): string => `${Math.ceil(seconds / 60)} min`;

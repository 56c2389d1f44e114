import { loadCongestionControls } from '../../network/congestion/congestion-controls.ts';
import { schemeNamed } from '../../network/schemes/index.ts';
import { installSchemes } from '../../network/schemes/live/install.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { places } from '../../harness/runs/place.ts';
import { prepareLiveSwitch } from '../../harness/runs/remove-stale.ts';
import {
  cellNamed,
  type RunContext,
  type Runner,
  type RunOutcome,
  type Study,
} from '../../harness/runs/study.ts';
import { PANTHEON_OPTIONS } from './options.ts';
import { pantheonRun, type PantheonSpec } from './run-spec.ts';
import { listCells, type PantheonSettings, planPantheon, makeSeed } from './settings.ts';
import { modelScheme } from './model.ts';
import { keepRun } from './run-files.ts';

const ABOUT = {
  name: 'pantheon',
  about: 'congestion-control schemes in real use, on emulated paths: throughput against one-way delay',
  figure: 'Pantheon, Figures 3.2 and 3.5',
};

/** The time that a run may take in addition to its flows, s. */
const PATIENCE_S = 120;
type Options = typeof PANTHEON_OPTIONS;

export const pantheon: Study<Options, PantheonSettings> = {
  ...ABOUT,
  options: PANTHEON_OPTIONS,
  places: places(['light', 'p4', 'real'], ['light', 'p4', 'virtual'], ['model', 'virtual', 'virtual']),
  record: 'result.json',
  plan: (asked, before) => planPantheon(ABOUT, asked, before),
  async prepareOutside(settings, print) {
    await installSchemes(settings.schemes.map(schemeNamed), print);
  },
  async make(settings, context) {
    const cells = new Map(listCells(settings).map((cell) => [cell.name, cell]));
    const makeSpec = ({ cell, k }: { readonly cell: string; readonly k: number }, folder: string) => {
      const found = cellNamed(cells, cell);
      const link = settings.paths[found.path];
      if (!link) throw new Error(`there is no path '${found.path}'`);
      const { seconds, from_s } = settings;
      return { cell: found, k, link, seconds, from_s, folder, seed: makeSeed(context.seed, k) };
    };
    if (context.place.backend === 'model')
      return { run: (run, folder) => Promise.resolve(runModel(makeSpec(run, folder))) };
    const { programs, controls, lacking } = await prepareLive(settings, context);
    return {
      skipped: Object.fromEntries(
        [...cells].flatMap(([name, { scheme }]) => {
          const reason = lacking[scheme];
          return reason === undefined ? [] : [[name, `${scheme}: ${reason}`]];
        }),
      ),
      run: (run, folder, signal) =>
        inProcess(
          pantheonRun,
          { ...makeSpec(run, folder), programs, controls },
          { within_s: settings.seconds + PATIENCE_S, signal },
        ),
    } satisfies Runner;
  },
  loadReport: () => import('./report/write-report.ts'),
  report: async (outDir) => (await import('./report/write-report.ts')).writePantheonReport(outDir),
};

/**
 * Installs programs and loads congestion controls. A scheme for which this fails is listed in `lacking` with the
 * reason, and the other schemes still run.
 */
async function prepareLive({ schemes }: PantheonSettings, { jobs, print, onClose }: RunContext<Options>) {
  if (jobs > 1)
    throw new Error('the flows of pantheon use all processors: it needs --jobs 1, or --clock virtual');
  await prepareLiveSwitch(', or with --clock virtual or --backend model');
  const wanted = schemes.map(schemeNamed);
  const { programs, lacking } = await installSchemes(wanted, print);
  const controls = await loadCongestionControls(
    wanted.flatMap(({ needs }) => needs.congestionControl ?? []),
    print,
  );
  onClose(() => controls.close());
  const without = Object.fromEntries(
    wanted.flatMap(({ name, needs }) => {
      const reason =
        needs.congestionControl === undefined ? undefined : controls.lacking[needs.congestionControl];
      return reason === undefined ? [] : [[name, reason]];
    }),
  );
  return { programs, controls: controls.names, lacking: { ...without, ...lacking } };
}

/** Simulates a scheme's flows in the packet model and writes the same files as a live run. */
function runModel(spec: Omit<PantheonSpec, 'programs' | 'controls'>): RunOutcome {
  const started_at = new Date().toISOString();
  const { flows, starts_s } = modelScheme(spec);
  keepRun(spec, flows, { starts_s, started_at });
  return { kind: 'finished' };
}

import { liveLack } from '../../../p4/switch/live/live-lack.ts';
import { loadCongestionControls } from '../../network/congestion/congestion-controls.ts';
import { schemeNamed } from '../../network/schemes/index.ts';
import { installSchemes } from '../../network/schemes/live/install.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { places } from '../../harness/runs/place.ts';
import { removeStale } from '../../harness/runs/remove-stale.ts';
import type { RunContext, Runner, Study } from '../../harness/runs/study.ts';
import { PANTHEON_OPTIONS } from './options.ts';
import { runModel } from './run-model.ts';
import { pantheonRun } from './run-spec.ts';
import { cellsOf, planPantheon, type PantheonCell, type PantheonSettings } from './settings.ts';

const ABOUT = {
  name: 'pantheon',
  about: 'congestion-control schemes in real use, on emulated paths: throughput against one-way delay',
  figure: 'Pantheon, Figures 3.2 and 3.5',
};

/** The time that a run may take beyond its flows, s. */
const PATIENCE_S = 120;
/** Runs of one number have the same random numbers on their paths, and no two numbers share any. */
const SEED_STRIDE = 1009;

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
    const cells = new Map(cellsOf(settings).map((cell) => [cell.name, cell]));
    const cellOf = (name: string): PantheonCell => {
      const cell = cells.get(name);
      if (!cell) throw new Error(`there is no cell '${name}'`);
      return cell;
    };
    const specOf = ({ cell, k }: { readonly cell: string; readonly k: number }, folder: string) => {
      const found = cellOf(cell);
      const link = settings.paths[found.path];
      if (!link) throw new Error(`there is no path '${found.path}'`);
      const { seconds, from_s } = settings;
      return { cell: found, k, link, seconds, from_s, folder, seed: context.seed * SEED_STRIDE + k };
    };
    if (context.place.backend === 'model')
      return { run: (run, folder) => Promise.resolve(runModel(specOf(run, folder))) };
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
          { ...specOf(run, folder), programs, controls },
          { within_s: settings.seconds + PATIENCE_S, signal },
        ),
    } satisfies Runner;
  },
  report: async (outDir) => (await import('./report/write-report.ts')).writePantheonReport(outDir),
};

/** Installs programs and loads congestion controls; a scheme without them is lacking, with the reason, and the others go on. */
async function prepareLive({ schemes }: PantheonSettings, { jobs, print, onClose }: RunContext<Options>) {
  if (jobs > 1)
    throw new Error('pantheon has flows that take all processors: it needs --jobs 1, or --clock virtual');
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(
      `the live switch cannot run here: ${lack}; run it as root on Linux, or with --clock virtual or --backend model`,
    );
  await removeStale();
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

import type { Options } from '../../../system/command-line/command-line.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { places } from '../../harness/runs/place.ts';
import { prepareLiveSwitch } from '../../harness/runs/remove-stale.ts';
import { everyRun, type Settings, type Study } from '../../harness/runs/study.ts';
import { loadCongestionControls } from '../../network/congestion/congestion-controls.ts';
import { postcardRun } from './run-spec.ts';

const ABOUT = {
  name: 'postcards',
  about: "whether the switch's reports change what they measure: TCP flows with and without them",
  figure: 'Pantheon, Figure 3.1',
};

/** The three schemes that Pantheon's Figure 3.1 compares. */
export const SCHEMES = ['cubic', 'vegas', 'bbr'] as const;
export type PostcardScheme = (typeof SCHEMES)[number];

export const makeCellName = (scheme: PostcardScheme, isReported: boolean): string =>
  `${scheme}-${isReported ? 'reported' : 'unreported'}`;

const POSTCARD_OPTIONS = {
  runs: { valueName: 'N', about: 'of each scheme with postcards, and without (20)', parse: wholeNumber(2) },
  seconds: { valueName: 'S', about: 'of each run (8)', parse: wholeNumber(4) },
} as const satisfies Options;

const USUAL = { runs: 20, seconds: 8 };
const START_UP = 1 / 4;
const OVERHEAD_S = 3;
const PATIENCE_S = 120;

/** `npm run lab -- run postcards`: what the kernel measures with and without the switch's reports. */
export const postcards: Study<typeof POSTCARD_OPTIONS> = {
  ...ABOUT,
  options: POSTCARD_OPTIONS,
  places: places(['light', 'p4', 'real'], ['light', 'p4', 'virtual']),
  record: 'result.json',
  plan(asked, before) {
    const settings: Settings = {
      ...ABOUT,
      runs: asked.runs ?? before?.runs ?? USUAL.runs,
      seconds: asked.seconds ?? before?.seconds ?? USUAL.seconds,
    };
    const cells = SCHEMES.flatMap((scheme) => [makeCellName(scheme, true), makeCellName(scheme, false)]);
    return {
      settings,
      runs: everyRun(settings.runs, cells, ({ k }) => String(k)),
      units: 'in the names of the fields',
      overhead_s: OVERHEAD_S,
    };
  },
  async prepareOutside() {
    // Nothing to install, because the virtual machine's kernel has these schemes.
  },
  async make({ seconds }, { jobs, print, onClose }) {
    if (jobs > 1) throw new Error('the flows of postcards use all processors: it needs --jobs 1');
    await prepareLiveSwitch(', or with --clock virtual');
    const controls = await loadCongestionControls(SCHEMES, print);
    const { names, lacking } = controls;
    onClose(() => controls.close());
    const getScheme = (cell: string): string => cell.replace(/-(?:un)?reported$/, '');
    const skipped = SCHEMES.flatMap((scheme) => {
      const reason = lacking[scheme];
      return reason === undefined
        ? []
        : [true, false].map((is) => [makeCellName(scheme, is), `${scheme}: ${reason}`]);
    });
    return {
      skipped: Object.fromEntries(skipped) as Record<string, string>,
      run: ({ cell }, folder, signal) => {
        const scheme = getScheme(cell);
        const isReported = cell.endsWith('-reported');
        return inProcess(
          postcardRun,
          {
            ...{ scheme, isReported, seconds, folder },
            control: names[scheme] ?? scheme,
            from_s: START_UP * seconds,
          },
          { within_s: seconds + PATIENCE_S, signal },
        );
      },
    };
  },
  loadReport: () => import('./write-report.ts'),
  report: async (outDir) => (await import('./write-report.ts')).writePostcardReport(outDir),
};

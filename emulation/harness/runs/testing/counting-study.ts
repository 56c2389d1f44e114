import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeNumber } from '../../../../system/command-line/parsers.ts';
import { places } from '../place.ts';
import { runName, type Study, type Settings } from '../study.ts';

const ABOUT = { name: 'counting', about: 'runs that take no time', figure: 'none' };
const OPTIONS = {
  runs: { valueName: 'N', about: 'of each cell', parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each run', parse: wholeNumber(1) },
};
const CELLS = ['a', 'b'];

export interface Counting {
  /** The runs, `<cell>/<k>`, whose first attempt is invalid. */
  readonly once?: Set<string>;
  /** Calls `then` after this many runs. */
  readonly after?: number;
  readonly then?: () => void;
  readonly film?: string;
  /** Cells that cannot be made. */
  readonly skipped?: Readonly<Record<string, string>>;
}

/** A study for tests of the harness: two cells with two runs each. Each run writes one file. */
export function countingStudy(counting: Counting = {}): Study<typeof OPTIONS> {
  const { once = new Set<string>(), after = Infinity, then, film = 'noise', skipped } = counting;
  let made = 0;
  return {
    ...ABOUT,
    options: OPTIONS,
    places: places(['model', 'virtual', 'virtual']),
    record: 'result.json',
    plan(asked, before = { ...ABOUT, runs: 2, seconds: 1 }) {
      const settings: Settings = {
        ...before,
        ...(asked.runs !== undefined && { runs: asked.runs }),
        ...(asked.seconds !== undefined && { seconds: asked.seconds }),
      };
      const runs = Array.from({ length: settings.runs }, (_, index) =>
        CELLS.map((cell) => ({ cell, k: index + 1, group: String(index + 1) })),
      ).flat();
      return { settings, runs, units: 'none', overhead_s: 0 };
    },
    make: () =>
      Promise.resolve({
        versions: { counter: '1', film },
        ...(skipped && { skipped }),
        run(run, folder) {
          if (once.delete(runName(run))) return Promise.resolve({ kind: 'invalid', reason: 'once' });
          writeFileSync(join(folder, 'result.json'), JSON.stringify(run));
          if (++made === after) then?.();
          return Promise.resolve({ kind: 'finished' });
        },
      }),
    report(outDir) {
      writeFileSync(join(outDir, 'report.html'), namesOfRuns(outDir).join('\n'));
    },
  };
}

/** `<cell>/<k>` of every run in a results folder. */
export function namesOfRuns(outDir: string): string[] {
  const runs = join(outDir, 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs).flatMap((cell) =>
    readdirSync(join(runs, cell))
      .map((k) => `${cell}/${k}`)
      .sort(),
  );
}

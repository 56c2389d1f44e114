import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { runStudy } from '../../harness/runs/run-study.ts';
import { readTraces } from '../../network/links/trace-files/read-traces.ts';
import { readArms } from '../../player/arms/read-tuned.ts';
import { DATABASE, searchWith } from './make-search.ts';
import { readSearchResult } from './records.ts';
import { searchLines } from './results.ts';
import { search } from './search.ts';
import type { SearchSettings } from './settings.ts';
import { DEFAULT_POINTS } from './space.ts';

/** The time limit allows for installing Python and its packages if they are missing. */
const TIMEOUT_MS = 240_000;
const python = await ensurePython(() => undefined, ['search']).catch((error: unknown) => {
  console.error(`The test of the search is skipped: ${String(error)}`);
  return undefined;
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'search-'));
  writeFileSync(
    join(folder, 'traces.jsonl'),
    [3, 40, 5, 50]
      .map((mbps, index) => JSON.stringify({ name: `trace-${index}`, periods: [[1000, 1000 * mbps, 20]] }))
      .join('\n'),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a video of five segments of 2 s in two rungs, in the same format as `npm run media`. */
function writeFilm(): void {
  const directory = join(folder, 'film');
  const rung = (bitrate_kbps: number, ssim: number) => ({
    bitrate_kbps,
    media: 'video',
    segment_bytes: Array<number>(5).fill(bitrate_kbps * 250),
    segment_ssim_db: Array<number>(5).fill(ssim),
  });
  mkdirSync(directory);
  writeFileSync(
    join(directory, 'quality.json'),
    JSON.stringify({
      version: 1,
      segment_duration_s: Array<number>(5).fill(2),
      representations: { low: rung(400, 12), top: rung(3000, 20) },
    }),
  );
}

interface Searching {
  readonly resume?: boolean;
  readonly executable?: string;
  /** Ends the search after this many runs. */
  readonly after?: number;
}

/** Runs a search with this many trials on the test's video. */
function searched(trials: number, { resume = false, after = Infinity, executable = python }: Searching = {}) {
  const ending = new AbortController();
  let made = 0;
  const study: typeof search = {
    ...search,
    async make(settings, context) {
      const traces = await readTraces(join(folder, 'traces.jsonl'));
      const program = { python: executable ?? 'python3', env: pythonEnv() };
      const runner = await searchWith({ traces, film: join(folder, 'film'), program }, settings, context);
      return {
        async run(...planned) {
          const outcome = await runner.run(...planned);
          if (++made === after) ending.abort();
          return outcome;
        },
      };
    },
  };
  return runStudy(study, {
    asked: { trials, seconds: 30, traces: join(folder, 'traces.jsonl') },
    ...{ seed: 3, outDir: join(folder, 'out'), resume, command: 'npm run lab -- search' },
    ...{ signal: ending.signal, isQuiet: true },
  });
}

describe.skipIf(python === undefined)('search', () => {
  it(
    'tries the defaults first, keeps finished trials when interrupted, resumes, and judges on the other half',
    async () => {
      writeFilm();
      const outDir = join(folder, 'out');
      expect(await searched(50, { after: 3 })).toBe('cut off');
      const cutOff = readSearchResult(outDir, 50);
      expect(cutOff.confirmed).toEqual([]);
      expect(cutOff.trials.map(({ trial }) => trial)).toEqual([0, 1, 2]);
      expect(cutOff.trials.slice(0, 2).map(({ point }) => point)).toEqual([
        DEFAULT_POINTS.default,
        DEFAULT_POINTS['default-smooth'],
      ]);
      await expect(searched(2, { resume: true })).rejects.toThrow(/has 50 runs of each cell/);

      rmSync(outDir, { recursive: true });
      expect(await searched(3)).toBe('complete');
      expect(await searched(5, { resume: true })).toBe('complete');
      const found = readSearchResult(outDir, 5);
      expect(found.trials).toHaveLength(5);
      expect(found.trials.slice(0, 3)).toEqual(cutOff.trials);
      expect(found.trials[0]?.traces).toHaveLength(2);
      const [byDefault] = found.confirmed;
      // On the training half, the default's result is that of the trial with the same point. Compared with itself, it
      // has no difference.
      expect(byDefault?.training).toEqual(found.trials[0]?.objectives);
      expect(byDefault?.judged.throughput_pct.mean).toBe(0);
      // The training half has 40 and 50 Mbit/s, far above the pace of 2.8 to 3.2 times 3 Mbit/s. The held-out half has
      // 3 and 5 Mbit/s.
      expect(byDefault?.training.throughput_pct).toBeLessThan(-50);
      expect(byDefault?.heldOut.throughput_pct).toBeGreaterThan(-50);
      expect(found.front.length).toBeGreaterThan(0);

      const page = readFileSync(join(outDir, 'report.html'), 'utf8');
      expect(page).toContain('<svg');
      expect(page).not.toMatch(/NaN|undefined|Infinity|<script/);
      expect(readFileSync(join(outDir, 'pareto.svg'), 'utf8')).toMatch(/^<svg xmlns/);
      expect(searchLines(outDir).join('\n')).toContain('search-default: algorithm-1, beta 0.8');
      const arms = readArms([`sammy-paper@${join(outDir, 'arms.json')}`]);
      expect(arms.names).toEqual(found.confirmed.map(({ arm }) => arm.name));
      expect(arms.tuned).toEqual(found.confirmed.map(({ arm }) => arm));
    },
    TIMEOUT_MS,
  );

  it(
    'keeps a trial that was reported before its run was interrupted',
    async () => {
      writeFilm();
      await searched(3);
      const outDir = join(folder, 'out');
      const { trials } = readSearchResult(outDir, 3);
      rmSync(join(outDir, 'runs', 'trial', '3'), { recursive: true });
      await searched(3, { resume: true });
      expect(readSearchResult(outDir, 3).trials).toEqual(trials);
    },
    TIMEOUT_MS,
  );

  it(
    'reports a failure in one line',
    async () => {
      await expect(searched(1)).rejects.toThrow(/^ENOENT.*quality\.json/);
      writeFilm();
      rmSync(join(folder, 'out'), { recursive: true });
      await expect(searched(1, { executable: join(folder, 'nowhere') })).rejects.toThrow(
        /^the optimizer ended with .*ENOENT/,
      );
      writeFileSync(join(folder, 'out', DATABASE), 'no database');
      await expect(searched(1)).rejects.toThrow(/has a search of an older version; choose another --out$/);
      rmSync(join(folder, 'out'), { recursive: true });
    },
    TIMEOUT_MS,
  );
});

it('does not resume another search', async () => {
  const traces = join(folder, 'traces.jsonl');
  const { settings } = await search.plan({ traces, seconds: 30 });
  const again = async (asked: Partial<Pick<SearchSettings, 'seconds'>>) =>
    (await search.plan(asked, settings)).settings;
  expect(await again({})).toEqual(settings);
  expect(await again({ seconds: 60 })).toEqual({ ...settings, seconds: 60 });
  const { runs } = await search.plan({ traces, trials: 2 });
  expect(runs.map(({ cell, k, stage }) => `${cell}/${k} ${stage}`)).toEqual([
    ...['trial/1 0', 'trial/2 1', 'confirmed/2 2'],
  ]);
});

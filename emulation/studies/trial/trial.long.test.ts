/** Played trials, in one process and in shards, and the options that a trial refuses. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { main } from '../../cli/command.ts';
import { merge } from '../../harness/runs/merge.ts';
import { runStudy, type StudyRun } from '../../harness/runs/run-study.ts';
import { makeKey } from './blinding.ts';
import { learner, trialWith } from './make-trial.ts';
import type { TrialSettings } from './settings.ts';
import { setUpSmallTrial, SMALL_TRIAL, type TrialRequest } from './testing/small-trial.ts';
import { trial } from './trial.ts';
import { inVirtualTime } from './virtual-time.ts';

/** The time limit allows for installing Python and its packages if they are missing. */
const TIMEOUT_MS = 600_000;
const python = await ensurePython(() => undefined).catch((error: unknown) => {
  console.error(`The trial's test from end to end is skipped: ${String(error)}`);
  return undefined;
});

const small = setUpSmallTrial();

/** Writes a video of thirty segments of 2 s in three rungs, in the same format as `npm run media`. */
function writeFilm(): string {
  const directory = join(small.folder, 'film');
  const rung = (bitrate_kbps: number, ssim: number) => ({
    bitrate_kbps,
    media: 'video',
    segment_bytes: Array.from({ length: 30 }, (_, index) => bitrate_kbps * (200 + 20 * (index % 6))),
    segment_ssim_db: Array.from({ length: 30 }, (_, index) => ssim - (index % 6) / 10),
  });
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(directory, 'quality.json'),
    JSON.stringify({
      version: 1,
      segment_duration_s: Array<number>(30).fill(2),
      representations: { low: rung(300, 11), middle: rung(1000, 15), top: rung(3000, 20) },
    }),
  );
  return directory;
}

/** Plays a trial in virtual time into a folder, without the final analysis. */
function played(outDir: string, more: Partial<StudyRun> & { readonly asked?: TrialRequest } = {}) {
  const study: typeof trial = {
    ...trial,
    async make(own, context) {
      const course = { film: writeFilm(), channel: 'Film', longest_s: own.seconds, networks: small.networks };
      const play = await inVirtualTime(course, context.jobs, context.onClose);
      const learn = learner(python ?? '', outDir, own);
      return trialWith({ course, play, learn }, own, context);
    },
    report: writeKey,
  };
  return runStudy(study, {
    ...{ outDir, resume: false, command: 'npm run lab -- trial', isQuiet: true },
    seed: 3,
    ...more,
    asked: { ...(more.resume ? {} : { ...SMALL_TRIAL, traces: small.traces }), ...more.asked },
  });
}

function writeKey(outDir: string): void {
  const { experiment } = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8')) as {
    experiment: TrialSettings;
  };
  replaceFiles(outDir, { 'key.json': asJson(makeKey(experiment.arms, experiment.seed)) });
}

const ask = (outDir: string, query: string): unknown =>
  JSON.parse(
    execFileSync(
      python ?? '',
      ['-c', 'import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall()))', query],
      { cwd: outDir, env: pythonEnv(), encoding: 'utf8' },
    ),
  );

/** Reads all files below a folder, by their relative paths. */
const filesIn = (root: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const file = join(parentPath, name);
        return [file.slice(root.length), readFileSync(file)] as const;
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

describe.skipIf(python === undefined)('a tiny trial', () => {
  let outDir = '';
  const readProvenance = (day: number) =>
    (
      JSON.parse(
        readFileSync(join(outDir, 'runs', 'model', String(day), 'model.bin'))
          .toString('latin1')
          .split('\n')[0] ?? '',
      ) as { provenance: { sessions: number; warm: string | null } }
    ).provenance;

  beforeAll(async () => {
    outDir = join(small.folder, 'whole');
    expect(await played(outDir)).toBe('complete');
  }, TIMEOUT_MS);

  it("has no arm's name in its tables, and on the first day no arm that learns in the trial", () => {
    const key = makeKey(small.settings.arms, small.settings.seed);
    const findCodes = (arms: readonly string[]) =>
      Object.keys(key)
        .filter((code) => arms.includes(key[code] ?? ''))
        .map((code) => [code]);
    for (const table of ['client_buffer', 'video_sent', 'video_acked'])
      expect(ask(outDir, `SELECT DISTINCT arm FROM 'runs/*/[23]/${table}.parquet' ORDER BY arm`)).toEqual(
        findCodes(small.settings.arms),
      );
    expect(ask(outDir, `SELECT DISTINCT arm FROM 'runs/*/1/client_buffer.parquet' ORDER BY arm`)).toEqual(
      findCodes(['dashjs', 'fugu']),
    );
    const parts = Object.entries(filesIn(join(outDir, 'runs'))).filter(([name]) => name.includes('part-'));
    for (const [name, bytes] of parts)
      expect([name, small.settings.arms.some((arm) => bytes.includes(arm))]).toEqual([name, false]);
    expect(ask(outDir, `SELECT count(DISTINCT session_id) FROM 'runs/*/*/client_buffer.parquet'`)).toEqual([
      [3 * 24],
    ]);
  });

  it('learns on every evening except the last from all days, and continues the model of the previous evening', () => {
    expect(readdirSync(join(outDir, 'runs', 'model'))).toEqual(['1', '2']);
    expect(readProvenance(1).warm).toBeNull();
    expect(readProvenance(2).warm).toMatch(/^[0-9a-f]{64}$/);
    expect(readProvenance(2).sessions).toBeGreaterThan(readProvenance(1).sessions);
  });

  it(
    'is analyzed arm by arm, with intervals',
    () => {
      execFileSync(python ?? '', ['-m', 'sammy_analysis', 'trial', outDir, '--iterations', '100'], {
        env: pythonEnv(),
      });
      interface Interval {
        estimate: number;
        low: number;
        high: number;
      }
      const { primary, models } = JSON.parse(readFileSync(join(outDir, 'trial.json'), 'utf8')) as {
        models: object;
        primary: {
          found: { name: string; stall_ratio: Interval; ssim_db: Interval }[];
          flows: { sessions: number }[];
        };
      };
      expect(primary.found.map(({ name }) => name)).toEqual(small.settings.arms);
      for (const { stall_ratio, ssim_db } of primary.found) {
        expect(stall_ratio.low).toBeLessThanOrEqual(stall_ratio.high);
        expect(ssim_db.estimate).toBeGreaterThan(ssim_db.low);
      }
      expect(Object.keys(models)).toEqual(['1', '2']);
      // The sessions of the first day are only for training, and do not count.
      expect(primary.flows.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(2 * 24);
      expect(readFileSync(join(outDir, 'report.html'), 'utf8')).toContain('Whether a model grows stale');
    },
    TIMEOUT_MS,
  );

  it('does not train a model of the first day again on later days', async () => {
    const other = join(small.folder, 'without-a-model');
    cpSync(outDir, other, { recursive: true });
    rmSync(join(other, 'runs', 'model', '1'), { recursive: true });
    await expect(played(other, { resume: true })).rejects.toThrow(
      /model.bin is missing, though day 2 has been played with it; put it back, or choose another --out$/,
    );
    expect(existsSync(join(other, 'runs', 'model', '1'))).toBe(false);
  });

  it('is refused to a second process while the first plays, but not afterwards', async () => {
    const other = join(small.folder, 'twice');
    const ending = new AbortController();
    const first = played(other, { signal: ending.signal });
    const owner = join(other, '.playing', 'owner');
    await vi.waitFor(() => expect(readFileSync(owner, 'utf8')).toBe(String(process.pid)));
    // Resumed, because the first process may have results by now, which others may not overwrite.
    await expect(played(join(small.folder, 'twice'), { resume: true })).rejects.toThrow(
      new RegExp(
        `twice: process ${process.pid} plays this trial already; wait for it, or choose another --out$`,
      ),
    );
    ending.abort();
    expect(await first).toBe('cut off');
    expect(readdirSync(other).filter((name) => name.startsWith('.'))).toEqual([]);
    // A killed process leaves its lock behind.
    mkdirSync(join(other, '.playing'));
    writeFileSync(owner, '999999999');
    const ended = new AbortController();
    ended.abort();
    expect(await played(other, { signal: ended.signal, resume: true })).toBe('cut off');
  });

  it(
    'that is interrupted and resumed in two processes is byte-identical',
    async () => {
      const other = join(small.folder, 'resumed');
      const ending = new AbortController();
      const asked = { days: 2 };
      const cutOff = played(other, { signal: ending.signal, asked });
      await vi.waitFor(() => expect(existsSync(join(other, 'runs', 'part-001', '1'))).toBe(true), {
        ...{ timeout: 60_000, interval: 1 },
      });
      ending.abort();
      expect(await cutOff).toBe('cut off');
      expect(await played(other, { resume: true, asked: { jobs: 2 } })).toBe('complete');
      const own = (root: string) =>
        Object.fromEntries(
          Object.entries(filesIn(join(root, 'runs'))).filter(
            ([name]) => /\/[12]\//.test(name) && !name.includes('model/2'),
          ),
        );
      expect(own(other)).toEqual(own(outDir));
      await expect(
        played(other, { resume: true, asked: { days: 1, arms: ['dashjs', 'fugu'] } }),
      ).rejects.toThrow(/has results with other settings/);
      await expect(played(other, { resume: true, seed: 4 })).rejects.toThrow(/has results with --seed 3/);
      await expect(played(other)).rejects.toThrow(/has results already; add --resume/);
    },
    TIMEOUT_MS,
  );
});

describe('a trial in shards', () => {
  const asked = { days: 2, 'sessions-per-day': 44, arms: ['dashjs', 'sammy-paper'] };
  const named = (name: string) => join(small.folder, name);
  const merged = (folders: readonly string[], outDir: string) =>
    merge({
      ...{ folders, outDir, command: 'npm run lab -- merge', mixedCommits: false },
      findStudy: () => ({ ...trial, report: writeKey }),
    });

  it('that is merged is byte-identical to a trial in one process', async () => {
    expect(await played(named('unsharded'), { asked })).toBe('complete');
    const folders = ['shard-1', 'shard-2'].map(named);
    for (const [index, shard] of folders.entries())
      expect(await played(shard, { asked, shard: { index: index + 1, of: 2 } })).toBe('complete');
    const partsIn = (shard: string) => Object.keys(filesIn(join(shard, 'runs'))).length;
    expect(folders.map(partsIn)).toEqual([12, 12]);

    const outDir = named('merged');
    expect((await merged(folders, outDir)).missing).toEqual([]);
    expect(filesIn(join(outDir, 'runs'))).toEqual(filesIn(join(named('unsharded'), 'runs')));
    expect(readFileSync(join(outDir, 'key.json'), 'utf8')).toBe(
      readFileSync(join(named('unsharded'), 'key.json'), 'utf8'),
    );
  }, 120_000);

  it('that lacks a part is completed after merging', async () => {
    const [cell = ''] = readdirSync(join(named('shard-2'), 'runs'));
    const [day = ''] = readdirSync(join(named('shard-2'), 'runs', cell));
    rmSync(join(named('shard-2'), 'runs', cell, day), { recursive: true });
    const outDir = named('incomplete');
    const { missing, again } = await merged(['shard-1', 'shard-2'].map(named), outDir);
    expect([missing, again]).toEqual([[`${cell}/${day}`], `run trial --resume --out ${outDir}`]);
    expect(await played(outDir, { resume: true })).toBe('complete');
    expect(filesIn(join(outDir, 'runs'))).toEqual(filesIn(join(named('unsharded'), 'runs')));
  }, 120_000);

  it('is refused if an arm learns in the trial', async () => {
    await expect(played(named('learning'), { shard: { index: 1, of: 2 } })).rejects.toThrow(
      /^--shard needs independent runs, but with these options some runs of trial wait for others$/,
    );
  });
});

it.each([
  ['--days 1', /^--days is '1', expected at least 2, /],
  ['--days 0', /^--days is '0', expected a whole number from 1/],
  ['--arms dashjs', /^--arms is 'dashjs', expected at least two/],
  [
    '--arms fugu-in-situ,fugu-frozen',
    /^--arms is 'fugu-in-situ,fugu-frozen', expected one that does not learn/,
  ],
  ['--arms dashjs,dashjs', /^--arms is 'dashjs,dashjs', expected at least two, each once/],
  ['--arms dashjs,fugue', /^no arm 'fugue' \(Did you mean fugu\?\); there are .*fugu-in-situ, fugu-frozen$/],
  ['--traces /nowhere', /^there is no file or folder of traces \/nowhere$/],
  ['--seconds 5', /^--seconds is '5', expected a whole number from 10/],
  ['--seconds 50000', /^--seconds is '50000', expected a whole number from 10 to 43200$/],
  ['--sessions-per-day many', /^--sessions-per-day is 'many', expected a whole number/],
  ['--jobs 0', /^--jobs is '0', expected a whole number from 1/],
  ['--backend udp', /^--backend is 'udp', expected one of chromium, page, light, model$/],
  ['--backend light --arms dashjs,fugue', /^no arm 'fugue' \(Did you mean fugu\?\); there are dashjs, /],
  ['--shard 3/2', /^--shard is '3\/2', expected K\/N/],
  ['--explored 60', /^--explored is '60', expected a whole number from 0 to 50$/],
  ['--explored 5 --arms dashjs,fugu', /^--explored needs an arm that learns in the trial/],
])('refuses %j in one line', async (line, message) => {
  await expect(main(['trial', ...line.split(' '), '--out', join(small.folder, 'none')])).rejects.toThrow(
    message,
  );
  expect(existsSync(join(small.folder, 'none'))).toBe(false);
});

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { readTraces, type TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { DAY_MS, START_MS } from '../world/arrivals.ts';
import { assignedCode, keyOf } from './blinding.ts';
import { learner, main, trial } from './command.ts';
import { drawSessions } from './draw-sessions.ts';
import { virtualTime } from './lanes.ts';
import { mergeTrials } from './merge.ts';
import { partsOf } from './parts.ts';
import { runTrial, type Trial } from './run-trial.ts';
import { keepSettings, settingsIn, type TrialSettings } from './settings.ts';
import { tracesHash } from '../../network/links/trace-files/traces-hash.ts';
import { FROZEN, RETRAINED, TRIAL_ARMS, trialArm } from './trial-arms.ts';

/** Python and its packages are installed if they are missing, which takes a while. */
const TIMEOUT_MS = 600_000;
const python = await ensurePython(() => undefined).catch((error: unknown) => {
  console.error(`The trial's test from end to end is skipped: ${String(error)}`);
  return undefined;
});

const MODEL = fileURLToPath(new URL('../../../models/fugu-ttp.bin', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trial-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const networks: TracedLink[] = [0.8, 2, 6].map((mbps, index) => ({
  name: `network-${index}`,
  link: {
    rate: {
      kind: 'schedule',
      steps: [
        { seconds: 7, mbps },
        { seconds: 5, mbps: mbps / 3 },
      ],
    },
    rtt_ms: 40,
    queue_bytes: 100_000,
  },
  duration_ms: 12_000,
}));

const settings: TrialSettings = {
  days: 3,
  sessions_per_day: 24,
  longest_s: 40,
  seed: 3,
  epochs: 1,
  arms: ['dashjs', 'fugu', 'fugu-in-situ', 'fugu-frozen'],
  traces: null,
  networks: networks.map(({ name }) => name),
  film: 'Film',
};

/** The χ² of counts that should be equal. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

const countBy = <T>(values: readonly T[], keys: readonly T[]): number[] =>
  keys.map((key) => values.filter((value) => value === key).length);

describe('what a session brings with it', () => {
  const drawn = (more: Partial<TrialSettings> = {}, day = 1) =>
    drawSessions({ ...settings, sessions_per_day: 4000, ...more }, networks, day);

  it('is by the seed and the day alone, and within the day', () => {
    expect(drawn()).toEqual(drawn());
    expect(drawn({ seed: 4 })[0]).not.toEqual(drawn()[0]);
    expect(drawn({}, 2)[0]?.offset_ms).not.toEqual(drawn()[0]?.offset_ms);
    for (const { began_ms, watch_s, offset_ms } of drawn({}, 2)) {
      expect(began_ms).toBeGreaterThanOrEqual(START_MS + DAY_MS);
      expect(began_ms + watch_s * 1000).toBeLessThanOrEqual(START_MS + 2 * DAY_MS);
      expect(offset_ms).toBeLessThan(12_000);
      expect(watch_s).toBeLessThanOrEqual(40);
    }
    expect(new Set(drawn().map(({ id }) => id)).size).toBe(4000);
  });

  it('has each network as often, and watch times of the public statistics', () => {
    // The 0.999 quantile of χ² with 2 degrees of freedom.
    expect(
      chiSquare(
        countBy(
          drawn().map(({ network }) => network),
          [0, 1, 2],
        ),
      ),
    ).toBeLessThan(13.8);
    // A quarter of them is below 9.61 s... 27.36 s: the quantiles 12.5% and 25%. Four standard deviations of 4000 are 2.2 and 2.7%.
    const below = (s: number) => drawn().filter(({ watch_s }) => watch_s < s).length / 4000;
    expect(Math.abs(below(9.61) - 0.125)).toBeLessThan(0.022);
    expect(Math.abs(below(27.36) - 0.25)).toBeLessThan(0.028);
  });
});

describe('the lot', () => {
  const codes = Object.keys(keyOf(TRIAL_ARMS, 1));

  it('gives every arm a letter, and with every seed others', () => {
    expect(codes).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
    const keys = Array.from({ length: 400 }, (_, seed) => keyOf(TRIAL_ARMS, seed));
    for (const key of keys) expect(Object.values(key).sort()).toEqual([...TRIAL_ARMS].sort());
    // The 0.999 quantile of χ² with 7 degrees of freedom.
    expect(
      chiSquare(
        countBy(
          keys.map(({ A }) => A),
          TRIAL_ARMS,
        ),
      ),
    ).toBeLessThan(24.3);
    expect(keyOf(TRIAL_ARMS, 5)).toEqual(keyOf(TRIAL_ARMS, 5));
  });

  it('gives every letter as many sessions, on every network', () => {
    const sessions = drawSessions({ ...settings, sessions_per_day: 9000 }, networks, 1);
    const assigned = (of: typeof sessions) => of.map(({ id }) => assignedCode(settings.seed, id, codes));
    expect(chiSquare(countBy(assigned(sessions), codes))).toBeLessThan(24.3);
    for (const network of [0, 1, 2])
      expect(
        chiSquare(countBy(assigned(sessions.filter((each) => each.network === network)), codes)),
      ).toBeLessThan(24.3);
    const long = sessions.filter(({ watch_s }) => watch_s >= 40);
    expect(chiSquare(countBy(assigned(long), codes))).toBeLessThan(24.3);
    const [first] = sessions;
    const seeds = Array.from({ length: 100 }, (_, seed) => assignedCode(seed, first?.id ?? '', codes));
    expect(new Set(seeds).size).toBe(codes.length);
  });
});

describe('exploring', () => {
  const exploredBy = (more: Partial<TrialSettings>) => {
    const own = { ...settings, arms: TRIAL_ARMS, ...more };
    const course = { film: '', channel: 'Film', longest_s: 40, networks };
    const plan = { settings: own, key: keyOf(own.arms, 3), course, carrier: virtualTime, outDir: folder };
    const arms = partsOf(plan, 2)[0]?.arms ?? [];
    return Object.fromEntries(arms.map(({ arm, explored_pct }) => [arm, explored_pct]));
  };

  it('is of the arms that learn in the trial alone, and of none unless it is asked for', () => {
    const nobody = Object.fromEntries(TRIAL_ARMS.map((arm) => [arm, 0]));
    expect(exploredBy({})).toEqual(nobody);
    expect(exploredBy({ explored_pct: 10 })).toEqual({ ...nobody, [RETRAINED]: 10, [FROZEN]: 10 });
  });

  it("draws rungs, and leaves the pace to Fugu's plans", () => {
    const sammyOf = (pct: number) => trialArm(RETRAINED, MODEL, pct).sammy;
    expect(sammyOf(0)).toMatchObject({ abr: { name: 'fugu' }, pace: { name: 'fugu' } });
    expect(sammyOf(10)).toMatchObject({ abr: { name: 'exploring-fugu' }, pace: { name: 'fugu' } });
  });
});

describe('a folder of traces', () => {
  it('of which one has another content under its name is not that of the trial', async () => {
    const traces = join(folder, 'traces');
    mkdirSync(traces);
    writeFileSync(join(traces, 'one.down'), '1\n2\n1000\n');
    const before = await tracesHash(await readTraces(traces));
    expect(await tracesHash(await readTraces(traces))).toBe(before);
    writeFileSync(join(traces, 'one.down'), '1\n500\n1000\n');
    const after = await tracesHash(await readTraces(traces));
    expect(after).not.toBe(before);

    const outDir = join(folder, 'of-traces');
    keepSettings(outDir, { ...settings, traces_digest: before });
    keepSettings(outDir, { ...settings, traces_digest: before, days: 4 });
    expect(() => keepSettings(outDir, { ...settings, traces_digest: after, days: 4 })).toThrow(
      /has a trial of other arms, traces/,
    );
    // A trial of an older lab has none to be compared, and from then on it has.
    keepSettings(join(folder, 'older'), settings);
    keepSettings(join(folder, 'older'), { ...settings, traces_digest: after });
    expect(settingsIn(join(folder, 'older'))).toHaveProperty('traces_digest', after);
  });
});

describe('a model of the trial', () => {
  it('that a page would do without ends the trial, which would else compare HYB under the name of Fugu', () => {
    const broken = join(folder, 'day-001.bin');
    writeFileSync(broken, readFileSync(MODEL).subarray(0, 100_000));
    expect(() => trialArm(RETRAINED, broken, 0)).toThrow(
      /day-001\.bin: it has .* it is truncated; take it away, and --resume learns it anew$/,
    );
  });
});

/** A film of thirty segments of 2 s in three rungs, as `npm run media` writes it. */
function writeFilm(): string {
  const directory = join(folder, 'film');
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

function trialIn(outDir: string, more: Partial<Trial> = {}): Trial {
  const own = more.settings ?? settings;
  const signal = more.signal ?? new AbortController().signal;
  const key = keyOf(own.arms, own.seed);
  keepSettings(outDir, own);
  writeFileSync(join(outDir, 'key.json'), JSON.stringify(key));
  writeFileSync(join(outDir, 'manifest.json'), '{}');
  return {
    settings: own,
    key,
    course: { film: writeFilm(), channel: 'Film', longest_s: own.longest_s, networks },
    carrier: virtualTime,
    outDir,
    jobs: 1,
    print: () => undefined,
    signal,
    learn: learner(python ?? '', outDir, own, signal),
    ...more,
  };
}

const ask = (outDir: string, query: string): unknown =>
  JSON.parse(
    execFileSync(
      python ?? '',
      ['-c', 'import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall()))', query],
      { cwd: outDir, env: pythonEnv(), encoding: 'utf8' },
    ),
  );

/** Every file below a folder, by its name there. */
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
  const provenanceOf = (day: number) =>
    (
      JSON.parse(
        readFileSync(join(outDir, 'models', `day-00${day}.bin`))
          .toString('latin1')
          .split('\n')[0] ?? '',
      ) as { provenance: { sessions: number; warm: string | null } }
    ).provenance;

  beforeAll(async () => {
    outDir = join(folder, 'whole');
    expect(await runTrial(trialIn(outDir))).toBe('complete');
  }, TIMEOUT_MS);

  it('has no name of an arm in its tables, and on the first day nobody who has learnt here', () => {
    const key = keyOf(settings.arms, settings.seed);
    const codesOf = (arms: readonly string[]) =>
      Object.keys(key)
        .filter((code) => arms.includes(key[code] ?? ''))
        .map((code) => [code]);
    for (const table of ['client_buffer', 'video_sent', 'video_acked'])
      expect(
        ask(outDir, `SELECT DISTINCT arm FROM 'days/day-00[23]/*/${table}.parquet' ORDER BY arm`),
      ).toEqual(codesOf(settings.arms));
    expect(
      ask(outDir, `SELECT DISTINCT arm FROM 'days/day-001/*/client_buffer.parquet' ORDER BY arm`),
    ).toEqual(codesOf(['dashjs', 'fugu']));
    for (const [name, bytes] of Object.entries(filesIn(join(outDir, 'days'))))
      expect([name, settings.arms.some((arm) => bytes.includes(arm))]).toEqual([name, false]);
    expect(ask(outDir, `SELECT count(DISTINCT session_id) FROM 'days/*/*/client_buffer.parquet'`)).toEqual([
      [3 * 24],
    ]);
  });

  it('learns every evening but the last from all days, and goes on from the model of the evening before', () => {
    expect(readdirSync(join(outDir, 'models')).filter((name) => name.endsWith('.bin'))).toEqual([
      'day-001.bin',
      'day-002.bin',
    ]);
    expect(provenanceOf(1).warm).toBeNull();
    expect(provenanceOf(2).warm).toMatch(/^[0-9a-f]{64}$/);
    expect(provenanceOf(2).sessions).toBeGreaterThan(provenanceOf(1).sessions);
  });

  it(
    'is told by the analysis, arm by arm with intervals',
    () => {
      execFileSync(python ?? '', ['-m', 'sammy_analysis', 'trial', outDir, '--iterations', '100'], {
        env: pythonEnv(),
      });
      interface Interval {
        estimate: number;
        low: number;
        high: number;
      }
      const { primary } = JSON.parse(readFileSync(join(outDir, 'trial.json'), 'utf8')) as {
        primary: {
          found: { name: string; stall_ratio: Interval; ssim_db: Interval }[];
          flows: { sessions: number }[];
        };
      };
      expect(primary.found.map(({ name }) => name)).toEqual(settings.arms);
      for (const { stall_ratio, ssim_db } of primary.found) {
        expect(stall_ratio.low).toBeLessThanOrEqual(stall_ratio.high);
        expect(ssim_db.estimate).toBeGreaterThan(ssim_db.low);
      }
      // The sessions of the first day teach, and do not count.
      expect(primary.flows.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(2 * 24);
      expect(readFileSync(join(outDir, 'report.html'), 'utf8')).toContain('Whether a model grows stale');
    },
    TIMEOUT_MS,
  );

  it('does not learn a model of the first day anew from the days after it', async () => {
    const other = join(folder, 'without-a-model');
    cpSync(outDir, other, { recursive: true });
    rmSync(join(other, 'models', 'day-001.bin'));
    await expect(runTrial(trialIn(other))).rejects.toThrow(
      /day-001\.bin is missing, though day 2 has been played with it; put it back, or choose another --out$/,
    );
    expect(existsSync(join(other, 'models', 'day-001.bin'))).toBe(false);
  });

  it('is refused to a second process while the first plays, and to nobody afterwards', async () => {
    const other = join(folder, 'twice');
    const ending = new AbortController();
    const first = runTrial(trialIn(other, { signal: ending.signal }));
    const owner = join(other, '.playing', 'owner');
    await vi.waitFor(() => expect(readFileSync(owner, 'utf8')).toBe(String(process.pid)));
    await expect(runTrial(trialIn(other))).rejects.toThrow(
      new RegExp(
        `twice: process ${process.pid} plays this trial already; wait for it, or choose another --out$`,
      ),
    );
    ending.abort();
    expect(await first).toBe('cut off');
    expect(readdirSync(other).filter((name) => name.startsWith('.'))).toEqual([]);
    // One that was killed has left its lock.
    mkdirSync(join(other, '.playing'));
    writeFileSync(owner, '999999999');
    const ended = new AbortController();
    ended.abort();
    expect(await runTrial(trialIn(other, { signal: ended.signal }))).toBe('cut off');
  });

  it(
    'that was cut off and goes on, in two processes, is the same to the last byte',
    async () => {
      const other = join(folder, 'resumed');
      const two = { ...settings, days: 2 };
      const ending = new AbortController();
      const afterOne: Trial['print'] = ({ fraction = 0 }) => {
        if (fraction > 0) ending.abort();
      };
      const cut = trialIn(other, { settings: two, signal: ending.signal, print: afterOne });
      expect(await runTrial(cut)).toBe('cut off');
      expect(existsSync(join(other, 'days'))).toBe(false);
      expect(readdirSync(join(other, 'under-way', 'day-001'))).toEqual(['part-001']);
      // What a killed process leaves is no part.
      const left = join(other, 'under-way', 'day-001', 'part-002.tmp');
      mkdirSync(left, { recursive: true });
      writeFileSync(join(left, 'video_sent.parquet'), '');
      expect(await runTrial(trialIn(other, { settings: two, jobs: 2 }))).toBe('complete');
      for (const part of ['days/day-001', 'days/day-002'])
        expect(filesIn(join(other, part))).toEqual(filesIn(join(outDir, part)));
      expect(readFileSync(join(other, 'models/day-001.bin'))).toEqual(
        readFileSync(join(outDir, 'models/day-001.bin')),
      );
      expect(() => keepSettings(other, { ...two, seed: 4 })).toThrow(/has a trial of other arms/);
      expect(() => keepSettings(other, { ...two, days: 1 })).toThrow(/was asked for 2 days/);
      await expect(trial({ out: other }, '')).rejects.toThrow(/has a trial already; add --resume/);
    },
    TIMEOUT_MS,
  );
});

describe('a trial in shards', () => {
  const own = { ...settings, days: 2, sessions_per_day: 44, arms: ['dashjs', 'sammy'] };
  const named = (name: string) => join(folder, name);
  const merging = { command: 'npm run lab -- merge', mixedCommits: false };

  async function shardIn(name: string, index: number): Promise<string> {
    const shard = { index, of: 2 };
    expect(await runTrial(trialIn(named(name), { settings: own, shard }))).toBe('complete');
    writeFileSync(join(named(name), 'manifest.json'), JSON.stringify({ commit: 'abc', shard }));
    return named(name);
  }

  it('that are merged is the same to the last byte as one that was played whole', async () => {
    expect(await runTrial(trialIn(named('unsharded'), { settings: own }))).toBe('complete');
    const whole = filesIn(join(named('unsharded'), 'days'));
    const folders = [await shardIn('shard-1', 1), await shardIn('shard-2', 2)];
    // Of a day's three parts the second shard has one.
    expect(folders.map((shard) => readdirSync(join(shard, 'under-way', 'day-002')))).toEqual([
      ['part-001', 'part-003'],
      ['part-002'],
    ]);
    expect(folders.map((shard) => existsSync(join(shard, 'days')))).toEqual([false, false]);

    const outDir = named('merged');
    expect((await mergeTrials({ ...merging, folders, outDir })).missing).toEqual([]);
    expect(filesIn(join(outDir, 'days'))).toEqual(whole);
    expect(settingsIn(outDir)).toEqual(settingsIn(named('unsharded')));
    expect(JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'))).toMatchObject({
      command: 'npm run lab -- merge',
      merged: [{ shard: { index: 1 } }, { shard: { index: 2 } }],
    });

    await expect(mergeTrials({ ...merging, folders, outDir })).rejects.toThrow(/merged is there already/);
    const twice = { ...merging, folders: [...folders, named('shard-1')], outDir: named('twice-merged') };
    await expect(mergeTrials(twice)).rejects.toThrow(/both have run day-001\/part-001$/);
    const wholeAndShard = { ...merging, folders: [outDir, named('shard-1')], outDir: named('no') };
    await expect(mergeTrials(wholeAndShard)).rejects.toThrow(/merged is no shard of a trial/);
  }, 120_000);

  it('of which one has lost a part goes on where they are merged', async () => {
    rmSync(join(named('shard-2'), 'under-way', 'day-002', 'part-002'), { recursive: true });
    const outDir = named('incomplete');
    const folders = [named('shard-1'), named('shard-2')];
    const { missing, again } = await mergeTrials({ ...merging, folders, outDir });
    expect([missing, again]).toEqual([['day-002/part-002'], `trial --resume --out ${outDir}`]);
    expect(readdirSync(join(outDir, 'days'))).toEqual(['day-001']);
    expect(await runTrial(trialIn(outDir, { settings: own }))).toBe('complete');
    expect(filesIn(join(outDir, 'days'))).toEqual(filesIn(join(named('unsharded'), 'days')));
  }, 120_000);
});

it.each([
  ['--days 1', /^--days is '1', expected at least 2: /],
  ['--days 0', /^--days is '0', expected a whole number from 1/],
  ['--arms dashjs', /^--arms is 'dashjs', expected at least two/],
  [
    '--arms fugu-in-situ,fugu-frozen',
    /^--arms is 'fugu-in-situ,fugu-frozen', expected one that does not learn/,
  ],
  ['--arms dashjs,dashjs', /^--arms is 'dashjs,dashjs', expected at least two, each once/],
  ['--arms dashjs,fugue', /^no arm 'fugue' \(Did you mean fugu\?\); there are .*fugu-in-situ, fugu-frozen$/],
  ['--traces /nowhere', /^--traces: there is no \/nowhere$/],
  ['--seconds 5', /^--seconds is '5', expected a whole number from 10/],
  ['--seconds 50000', /^--seconds is '50000', expected a whole number from 10 to 43200$/],
  ['--sessions-per-day many', /^--sessions-per-day is 'many', expected a whole number/],
  ['--jobs 0', /^--jobs is '0', expected a whole number from 1/],
  ['--over udp', /^--backend is 'udp', expected one of chromium, page, light, model$/],
  ['--backend light --arms dashjs,fugue', /^no arm 'fugue' \(Did you mean fugu\?\); there are dashjs, /],
  ['--shard 3/2', /^--shard is '3\/2', expected K\/N/],
  ['--shard 1/2', /^--shard is of arms that do not learn in the trial/],
  ['--explored 60', /^--explored is '60', expected a whole number from 0 to 50$/],
  ['--explored 5 --arms dashjs,fugu', /^--explored is of the arms that learn in the trial/],
])('refuses %j in one line', async (line, message) => {
  await expect(main([...line.split(' '), '--out', join(folder, 'none')])).rejects.toThrow(message);
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

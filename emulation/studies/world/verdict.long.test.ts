import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { replaceFiles } from '../../../system/replace-files.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { WORLD, type World } from './demand.ts';
import { experimentRuns, worldExperiment } from './experiment.ts';
import { writeExperiment } from './results/write-experiment.ts';
import { HOUR_MS, START_MS } from './arrivals.ts';
import { LINKS } from './designs.ts';
import { runLink } from './run-link.ts';
import { toCsv, METRICS } from './session-row.ts';
import { tableDesigns, tableFiles, tableRuns } from './table.ts';
import type { Truth } from './results/truth.ts';

const python = await ensurePython(() => undefined).catch((error: unknown) => {
  console.warn(`from a world to a verdict: not tested, ${error instanceof Error ? error.message : ''}`);
  return null;
});
if (python === null && process.env.CI !== undefined) throw new Error('Python is part of the tests in CI');

/**
 * The world with a third of its sessions, which are also shorter. At dawn, some hours have no sessions, especially
 * those of the 5%.
 */
const SMALL: World = { ...WORLD, sessionsPerHour: 30, accounts: 500, longest_s: 200 };

/**
 * The index of the switchback's column in `world`'s table, after the text before the first bar, the metric, the truth
 * and the paired links.
 */
const SWITCHBACK = 4;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'world-verdict-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});
const run = (...args: string[]) =>
  execFileSync(python ?? '', ['-m', 'sammy_analysis', ...args], {
    env: pythonEnv(),
    cwd: directory,
    encoding: 'utf8',
  });

// The analysis in Python takes 10 s on an idle machine, and fifteen times as long on two processors with a load of 20.
const PATIENCE_MS = 600_000;

it.skipIf(python === null)(
  'two days of a small world have a verdict and a report, and no session is left out',
  () => {
    const settings = { world: SMALL, days: 2, seed: 1, treatment: 'sammy', design: 'paired' } as const;
    const rows = LINKS.flatMap((link) => runLink({ ...settings, link }));
    writeFileSync(join(directory, 'sessions.csv'), toCsv(rows));
    const said = run('analyze', 'sessions.csv', '--out', 'verdict.html');
    expect(said).toContain(`${rows.length.toLocaleString('en')} sessions, read as paired links`);
    expect(said).not.toMatch(/left out|ALARM|not used|nan/i);
    // Access lines have 25 Mbit/s and paces are 10 Mbit/s. On a link that is not full, chunks are downloaded at these
    // rates. Without a baseline, the links have not been compared.
    expect(said).toMatch(/Chunk throughput: −\d.* only if the links are alike, which was not checked/);
    const page = readFileSync(join(directory, 'verdict.html'), 'utf8');
    expect(page).toContain('Is the sample as planned?');
    expect(page).not.toMatch(/\bnan\b/i);
  },
  PATIENCE_MS,
);

it.skipIf(python === null)(
  'the days before show how the links differ, in either format',
  () => {
    const settings = { world: SMALL, days: 2, seed: 1, treatment: 'cap' } as const;
    const planned = worldExperiment(settings, 'paired', { baselineDays: 4, truthLinks: [] });
    const rows = experimentRuns(planned).map(runLink);
    const folder = join(directory, 'baseline');
    mkdirSync(folder);
    const [csv, parquet] = (['csv', 'parquet'] as const).map((format) => {
      writeExperiment(folder, planned, rows, { format, metrics: ['min_rtt_ms', 'mean_bitrate_kbps'] });
      return run('analyze', join(folder, `sessions.${format}`), '--out', join(folder, 'verdict.html'));
    });
    const before = rows.slice(0, 2).flat().length;
    expect(csv).toContain(
      `${before.toLocaleString('en')} sessions of 4 days began while all clusters had the same allocation (0% treated)`,
    );
    expect(csv).toContain('difference of the links at the same allocation: ');
    expect(csv).not.toMatch(/left out|ALARM|not used|nan/i);
    const sizeless = (said = '') => said.replaceAll(/[+−][\d.]+%/g, '%');
    const parseSizes = (said = '') =>
      [...said.matchAll(/([+−])([\d.]+)%/g)].map(([, , size]) => Number(size));
    expect(sizeless(parquet)).toBe(sizeless(csv));
    expect(parseSizes(csv).length).toBeGreaterThan(40);
    // Rounding a session's metrics to five digits may change the last printed digit, which is a tenth.
    for (const [index, size] of parseSizes(parquet).entries())
      expect(Math.abs(size - (parseSizes(csv)[index] ?? NaN))).toBeLessThan(0.11);
  },
  PATIENCE_MS,
);

/** Prints the sessions of the north link on the first day from the bundled file, as JSON. */
const BUNDLED = `
import duckdb, json, sys
rows = duckdb.sql(
    f"SELECT * FROM '{sys.argv[1]}' WHERE cluster = 'north' AND allocation > 0 AND started_at < {sys.argv[2]}"
)
print(json.dumps([dict(zip(rows.columns, row)) for row in rows.fetchall()]))
`;

/** Rounds to five digits, and to 32 bits. */
const asFloat = (value: number | null) => (value === null ? null : Math.fround(Number(value.toPrecision(5))));

it.skipIf(python === null)(
  'the bundled sessions are what this world makes (docs/experiments/verdict.md has the command that makes them again)',
  () => {
    const file = fileURLToPath(new URL('../../../analysis/data/cap-paired.parquet', import.meta.url));
    // A viewer who arrives at least two hours before midnight leaves before the next day, which this test does not
    // simulate.
    const until_s = (START_MS + 22 * HOUR_MS) / 1000;
    const output = execFileSync(python ?? '', ['-c', BUNDLED, file, `${until_s}`], {
      env: pythonEnv(),
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    const settings = { world: WORLD, days: 1, seed: 1, treatment: 'cap', design: 'paired' } as const;
    const bundled = JSON.parse(output) as Record<string, unknown>[];
    const metrics = METRICS.filter((name) => bundled[0] && name in bundled[0]);
    expect(metrics).toContain('min_rtt_ms');
    const made = runLink({ ...settings, link: 'north' })
      .map(({ started_at, metrics: all, ...row }) => ({
        ...{ ...row, started_at: Math.floor(Date.parse(started_at) / 1000) },
        ...Object.fromEntries(metrics.map((name) => [name, asFloat(all[name])])),
      }))
      .filter(({ started_at }) => started_at < until_s);
    expect(made.length).toBeGreaterThan(500);
    expect(bundled).toEqual(made);
  },
  PATIENCE_MS,
);

it.skipIf(python === null)(
  'a table of paired links alone has a baseline, which the analysis subtracts',
  () => {
    const designs = ['paired'] as const;
    const table = { world: SMALL, days: 2, treatments: ['cap'], designs, baselineDays: 4 } as const;
    const out = join(directory, 'paired-table');
    // Two links for two days with all sessions treated and with none (8 days), the two paired links for two days (4),
    // and a baseline of four days on two links (8).
    const runs = tableRuns(table, 1);
    expect(runs.reduce((sum, run) => sum + run.days, 0)).toBe(20);
    mkdirSync(join(out, '1'), { recursive: true });
    replaceFiles(join(out, '1'), tableFiles(table, runs, runs.map(runLink)));
    const sessions = readFileSync(join(out, '1', 'cap-paired.csv'), 'utf8');
    expect(sessions.match(/^north-baseline-\d+,/gm)?.length).toBeGreaterThan(100);
    expect(run('world', out)).toMatch(/`mean_bitrate_kbps` \| −?-?[\d.]+% \| [^|]+ (holds|misses) \|/);
  },
  PATIENCE_MS,
);

it.skipIf(python === null)(
  'a table compares every design with the truth',
  () => {
    const table = {
      world: SMALL,
      days: 2,
      treatments: ['cap'],
      designs: tableDesigns(false),
      baselineDays: 0,
    } as const;
    const out = join(directory, 'table');
    // All sessions treated and none treated on two links, the paired links, and an A/B test and a switchback on one
    // link: 8 runs of 2 days.
    const runs = tableRuns(table, 1);
    expect(runs).toHaveLength(8);
    mkdirSync(join(out, '1'), { recursive: true });
    replaceFiles(join(out, '1'), tableFiles(table, runs, runs.map(runLink)));
    const one = run('world', out);
    const truths = JSON.parse(readFileSync(join(out, '1', 'truth.json'), 'utf8')) as {
      cap: { tte: Truth };
    };
    const truth = truths.cap.tte.mean_bitrate_kbps.tte_pct ?? NaN;
    expect(truth).toBeLessThan(0);
    expect(one).toContain(`\`mean_bitrate_kbps\` | ${truth.toFixed(1)}%`);
    expect(one).toMatch(/`mean_bitrate_kbps`.* (holds|misses)/);
    // Over TCP, a table has no switchback; the other columns are the same.
    rmSync(join(out, '1', 'cap-switchback-hours.csv'));
    const splitColumns = (said: string) => /\| `mean_bitrate_kbps` .*\|.*\|/.exec(said)?.[0].split('|') ?? [];
    const without = splitColumns(run('world', out));
    expect(without).toEqual(splitColumns(one).map((column, index) => (index === SWITCHBACK ? '  ' : column)));
  },
  PATIENCE_MS,
);

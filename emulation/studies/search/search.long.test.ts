import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { readArms } from '../../player/arms/read-tuned.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { describeFound, writeFound } from './results.ts';
import { search, type Searching } from './search.ts';
import { keepSettings, settingsIn } from './settings.ts';
import { DEFAULT_POINTS } from './space.ts';

/** Python and its packages are installed if they are missing, which takes a while. */
const TIMEOUT_MS = 240_000;
const python = await ensurePython(() => undefined, ['search']).catch((error: unknown) => {
  console.error(`The test of the search is skipped: ${String(error)}`);
  return undefined;
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'search-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A film of five segments of 2 s in two rungs, as `npm run media` writes it. */
function writeFilm(): string {
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
  return directory;
}

const traces: TracedLink[] = [3, 40, 5, 50].map((mbps, index) => ({
  name: `trace-${index}`,
  link: { rate: { kind: 'constant', mbps }, rtt_ms: 20, queue_bytes: 100_000 },
  duration_ms: 1000,
}));

const searching = (trials: number, more: Partial<Searching> = {}): Searching => ({
  trials,
  jobs: 1,
  seconds: 30,
  seed: 3,
  traces,
  film: join(folder, 'film'),
  program: { python: python ?? 'python3', env: pythonEnv() },
  outDir: join(folder, 'out'),
  print: () => undefined,
  signal: new AbortController().signal,
  ...more,
});

describe.skipIf(python === undefined)('search', () => {
  it(
    'tries the defaults first, keeps what is finished when it is cut off, goes on, and judges on the other half',
    async () => {
      writeFilm();
      const ending = new AbortController();
      const cutOff = await search(
        searching(1000, {
          signal: ending.signal,
          print: ({ fraction = 0 }) => {
            if (fraction * 1000 >= 3) ending.abort();
          },
        }),
      );
      expect(cutOff.confirmed).toEqual([]);
      const kept = cutOff.trials.length;
      expect(kept).toBeGreaterThanOrEqual(3);
      expect(kept).toBeLessThan(1000);
      expect(cutOff.trials.slice(0, 2).map(({ point }) => point)).toEqual([
        DEFAULT_POINTS.default,
        DEFAULT_POINTS['default-smooth'],
      ]);

      const found = await search(searching(kept + 2));
      expect(found.trials).toHaveLength(kept + 2);
      expect(found.trials.slice(0, kept)).toEqual(cutOff.trials);
      expect(found.trials[0]?.traces).toHaveLength(2);
      const [byDefault] = found.confirmed;
      // On the training half it is the trial of the same point; against itself nothing changes.
      expect(byDefault?.training).toEqual(found.trials[0]?.objectives);
      expect(byDefault?.judged.throughput_pct.mean).toBe(0);
      // 40 and 50 Mbit/s are tried, where 2.8 to 3.2 times 3 Mbit/s is far below; 3 and 5 are held out.
      expect(byDefault?.training.throughput_pct).toBeLessThan(-50);
      expect(byDefault?.heldOut.throughput_pct).toBeGreaterThan(-50);
      expect(found.front.length).toBeGreaterThan(0);

      const made = { ...searching(kept + 2), command: 'npm run lab -- search', path: null };
      writeFound(made.outDir, found, made);
      const page = readFileSync(join(made.outDir, 'report.html'), 'utf8');
      expect(page).toContain('<svg');
      expect(page).not.toMatch(/NaN|undefined|Infinity|<script/);
      expect(readFileSync(join(made.outDir, 'pareto.svg'), 'utf8')).toMatch(/^<svg xmlns/);
      expect(describeFound(found).join('\n')).toContain('search-default: algorithm-1, beta 0.8');
      const arms = readArms([`sammy@${join(made.outDir, 'arms.json')}`]);
      expect(arms.names).toEqual(found.confirmed.map(({ arm }) => arm.name));
      expect(arms.tuned).toEqual(found.confirmed.map(({ arm }) => arm));
    },
    TIMEOUT_MS,
  );

  it(
    'keeps the trials when it is cut off while the chosen points are played',
    async () => {
      writeFilm();
      const ending = new AbortController();
      const cutOff = await search(
        searching(3, {
          signal: ending.signal,
          print: ({ task }) => {
            if (task.includes('half')) ending.abort();
          },
        }),
      );
      expect(cutOff.trials).toHaveLength(3);
      expect(cutOff.confirmed).toEqual([]);
      const found = await search(searching(3));
      expect(found.trials).toEqual(cutOff.trials);
      expect(found.confirmed.length).toBeGreaterThan(2);
    },
    TIMEOUT_MS,
  );

  it(
    'says in one line what failed',
    async () => {
      await expect(search(searching(1))).rejects.toThrow(/^ENOENT.*quality\.json/);
      writeFilm();
      const nowhere = { python: join(folder, 'nowhere'), env: pythonEnv() };
      await expect(search(searching(1, { program: nowhere }))).rejects.toThrow(
        /^the optimiser ended with .*ENOENT/,
      );
      writeFileSync(join(folder, 'out', 'search.db'), 'no database');
      await expect(search(searching(1))).rejects.toThrow(/^the optimiser: .*not a database.*$/);
    },
    TIMEOUT_MS,
  );
});

describe('keepSettings', () => {
  it('does not go on with another search', () => {
    const asked = { traces: null, seconds: 30, seed: 1, names: ['a', 'b'] };
    keepSettings(folder, asked);
    expect(() => keepSettings(folder, asked)).not.toThrow();
    expect(() => keepSettings(folder, { ...asked, names: ['a', 'c'] })).toThrow(
      'has a search on other traces',
    );
    expect(() => keepSettings(folder, { ...asked, seconds: 60 })).toThrow('another --seconds');
  });

  it('names a file that is broken', () => {
    writeFileSync(join(folder, 'settings.json'), '{"traces": nu');
    expect(() => settingsIn(folder)).toThrow(join(folder, 'settings.json'));
  });
});

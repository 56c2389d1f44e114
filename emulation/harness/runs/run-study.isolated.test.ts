import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkAnySettings, readManifest } from './manifest.ts';
import { runStudy, type StudyRun } from './run-study.ts';
import { countingStudy, namesOfRuns } from './testing/counting-study.ts';

vi.mock('../../ground/files/free-space.ts', () => ({ requireFreeSpace: vi.fn(() => Promise.resolve()) }));

let outDir: string;
beforeEach(() => {
  outDir = join(mkdtempSync(join(tmpdir(), 'run-experiment-')), 'out');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(join(outDir, '..'), { recursive: true });
});

const run = (conducting: Partial<StudyRun> = {}, experiment = countingStudy()) =>
  runStudy(experiment, { asked: {}, outDir, resume: false, command: 'lab run', ...conducting });
/** Captures stderr from now on. Returns a function that returns the captured text. */
function printed(): () => string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join('');
}
const manifest = () => readManifest(outDir, checkAnySettings);

describe('runStudy', () => {
  it('makes every run, and reports what it made', async () => {
    await expect(run()).resolves.toBe('complete');
    expect(namesOfRuns(outDir)).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
    expect(manifest()).toMatchObject({ command: 'lab run', seed: 1, removed: [], units: 'none' });
    expect(manifest().versions.counter).toBe('1');
    expect([...manifest().plan].sort()).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
    expect(manifest().ended).not.toBeNull();
    expect(existsSync(join(outDir, 'report.html'))).toBe(true);
  });

  it('lists all runs that were removed', async () => {
    const invalid = new Set(['a/2']);
    await run({}, countingStudy({ once: invalid }));
    expect(manifest().removed).toEqual([{ cell: 'a', k: 2, reason: 'invalid: once' }]);
    expect(namesOfRuns(outDir)).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
  });

  it('omits cells that the machine cannot make, with the reason, and makes them when resumed elsewhere', async () => {
    const skipped = { b: 'no BPF' };
    await expect(run({}, countingStudy({ skipped }))).resolves.toBe('complete');
    expect(namesOfRuns(outDir)).toEqual(['a/1', 'a/2']);
    expect(manifest()).toMatchObject({ skipped, ended: expect.any(String) as string });
    await expect(run({ resume: true })).resolves.toBe('complete');
    expect(namesOfRuns(outDir)).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
    expect(manifest().skipped).toBeUndefined();
  });

  it('keeps finished runs when interrupted, and makes the others with --resume alone', async () => {
    const ending = new AbortController();
    const experiment = countingStudy({ after: 3, then: () => ending.abort() });
    const text = printed();
    await expect(
      run({ asked: { runs: 3, seconds: 7 }, seed: 5, signal: ending.signal }, experiment),
    ).resolves.toBe('cut off');
    expect(text()).toMatch(/Interrupted; finished runs are kept, and --resume continues\s*$/);
    expect(namesOfRuns(outDir)).toHaveLength(3);
    expect(manifest().ended).toBeNull();
    mkdirSync(join(outDir, '.run-of-a-killed-process'));
    await expect(run({ resume: true })).resolves.toBe('complete');
    expect(namesOfRuns(outDir)).toHaveLength(6);
    expect(manifest()).toMatchObject({ seed: 5, experiment: { runs: 3, seconds: 7 } });
    expect(readdirSync(outDir).filter((name) => name.startsWith('.run-'))).toEqual([]);
  });

  it("loads the report's modules before the first run, because none can be loaded after Ctrl-C", async () => {
    const study = countingStudy();
    const calls: string[] = [];
    await run(
      {},
      {
        ...study,
        loadReport: () => Promise.resolve(calls.push('load')),
        make: (...given) => (calls.push('make'), study.make(...given)),
        report: (folder) => (calls.push('report'), study.report(folder)),
      },
    );
    expect(calls).toEqual(['load', 'make', 'report']);
  });

  it('reports that no run could be made, and writes no report', async () => {
    const skipped = { a: 'no BPF', b: 'no BPF' };
    await expect(run({}, countingStudy({ skipped }))).rejects.toThrow(/^no run could be made: no BPF$/);
    expect(existsSync(join(outDir, 'report.html'))).toBe(false);
    const signal = AbortSignal.abort();
    const text = printed();
    await expect(run({ signal, resume: true })).resolves.toBe('cut off');
    expect(text()).toMatch(/Interrupted before any run was finished; --resume starts again\s*$/);
    expect(existsSync(join(outDir, 'report.html'))).toBe(false);
  });

  it('reports invalid options before existing results', async () => {
    await run();
    const study = countingStudy();
    const plan = () => {
      throw new Error("no arm 'samy'");
    };
    await expect(run({}, { ...study, plan })).rejects.toThrow("no arm 'samy'");
  });

  it('repeats a run whose folder has no record', async () => {
    await run();
    rmSync(join(outDir, 'runs/a/2/result.json'));
    writeFileSync(join(outDir, 'runs/a/2/rest.csv'), '');
    await expect(run({ resume: true })).resolves.toBe('complete');
    expect(readdirSync(join(outDir, 'runs/a/2'))).toEqual(['result.json']);
  });

  it('makes the runs of its shard, and resumes the same shard', async () => {
    await run({ shard: { index: 1, of: 2 } });
    expect(namesOfRuns(outDir)).toEqual(['a/1', 'b/1']);
    expect(manifest()).toMatchObject({ shard: { index: 1, of: 2 } });
    expect(manifest().plan).toHaveLength(4);
    rmSync(join(outDir, 'runs/a/1'), { recursive: true });
    await run({ resume: true });
    expect(namesOfRuns(outDir)).toEqual(['a/1', 'b/1']);
    await expect(run({ resume: true, shard: { index: 2, of: 2 } })).rejects.toThrow(
      /has 1\/2, not shard 2\/2/,
    );
  });

  it.each<readonly [string, Partial<StudyRun>, RegExp]>([
    ['results without --resume', {}, /has results already; add --resume/],
    ['other seconds', { resume: true, asked: { seconds: 9 } }, /with other settings/],
    ['another seed', { resume: true, seed: 2 }, /has results with --seed 1/],
    [
      'fewer runs',
      { resume: true, asked: { runs: 1 } },
      /has 2 runs of each cell; --resume can only add runs/,
    ],
  ])('refuses %s, and keeps existing files', async (_, conducting, message) => {
    await run();
    const before = readFileSync(join(outDir, 'manifest.json'), 'utf8');
    await expect(run(conducting)).rejects.toThrow(message);
    expect(readFileSync(join(outDir, 'manifest.json'), 'utf8')).toBe(before);
  });

  it('names a free folder if there are results', async () => {
    await run();
    mkdirSync(`${outDir}-2`);
    await expect(run()).rejects.toThrow(`another --out, such as ${outDir}-3`);
  });
});

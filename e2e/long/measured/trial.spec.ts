import { expect, test } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTestContent } from '../../../media/sources/footage.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { readTraces } from '../../../emulation/network/links/trace-files/read-traces.ts';
import { missingLightLabReason } from '../../../emulation/host/setup/ensure-lab.ts';
import { runStudy } from '../../../emulation/harness/runs/run-study.ts';
import { trialWith } from '../../../emulation/studies/trial/make-trial.ts';
import { inItsProcess, overTcp, type PlayOne } from '../../../emulation/studies/trial/tcp/over-tcp.ts';
import type { SessionRecord } from '../../../emulation/studies/trial/tcp/session-spec.ts';
import { trial } from '../../../emulation/studies/trial/trial.ts';

const RTT_MS = 40;
const SESSIONS = 8;
const ARMS = ['dashjs', 'sammy-paper'];
/** Two networks in one file, each with a constant rate. */
const NETWORKS = [3000, 8000].map((kbps) => ({ name: `${kbps}-kbps`, periods: [[5000, kbps, RTT_MS]] }));

/**
 * Plays a session and accepts it even if the machine was busy, so that the results below always exist. Another test
 * checks that such sessions do not count.
 */
const alsoBusy: PlayOne = async (spec, signal) => {
  const outcome = await inItsProcess(spec, signal);
  return outcome.kind === 'busy' ? { kind: 'finished' } : outcome;
};

/** Plays the trial. All viewers watch for at most ten seconds, so that a day is short. */
async function played(outDir: string, resume: boolean, onMade: () => void, signal?: AbortSignal) {
  const { directory: film } = await ensureTestContent();
  const traces = join(outDir, 'traces.jsonl');
  writeFileSync(traces, NETWORKS.map((network) => JSON.stringify(network)).join('\n'));
  const networks = await readTraces(traces);
  const study: typeof trial = {
    ...trial,
    async make(settings, context) {
      const course = { film, channel: 'Film', longest_s: settings.seconds, networks };
      const learn = () => Promise.reject(new Error('nobody learns in this trial'));
      const runner = await trialWith({ course, play: overTcp(course, alsoBusy), learn }, settings, context);
      return {
        ...runner,
        async run(...run) {
          const outcome = await runner.run(...run);
          onMade();
          return outcome;
        },
      };
    },
  };
  return runStudy(study, {
    place: { backend: 'light' },
    asked: { days: 1, 'sessions-per-day': SESSIONS, seconds: 10, arms: ARMS, traces, jobs: 4 },
    ...{ seed: 1, outDir, resume, command: 'npm run lab -- trial', signal, isQuiet: true },
  });
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/**
 * Returns the command lines of the processes that have a folder on their PATH. All processes that this one starts from
 * then on have it.
 */
const startedWith = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const inherited = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder);
        return inherited ? readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ') : [];
      } catch {
        // The process has ended in the meantime.
        return [];
      }
    });

/** Returns the folders of links whose process has ended. */
const abandoned = (): string[] =>
  readdirSync(tmpdir()).filter((name) => {
    const pid = /^dashjs-sammy-link-(\d+)-/.exec(name)?.[1];
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  });

test('a trial by light viewers behind mahimahi, interrupted and resumed: every session once, blinded, analyzed, nothing left behind', async () => {
  const missing = await missingLightLabReason();
  // Skipped without mahimahi or root; CI installs mahimahi.
  test.skip(missing !== null, missing ?? '');
  // The test takes half a minute, plus the installation of Python's packages if they are missing.
  test.setTimeout(300_000);
  const outDir = mkdtempSync(join(tmpdir(), 'trial-tcp-'));
  const { PATH } = process.env;
  process.env.PATH = `${PATH}:${outDir}`;
  const before = abandoned();
  // When the processes have ended, their network namespaces are gone too.
  const left = () => ({
    processes: startedWith(outDir),
    folders: abandoned().filter((name) => !before.includes(name)),
  });
  const nothing = { processes: [], folders: [] };
  try {
    const ending = new AbortController();
    // The first finished session interrupts the trial, a moment later, when it is stored.
    const firstDone = () => void setTimeout(() => ending.abort(), 100);
    expect(await played(outDir, false, firstDone, ending.signal)).toBe('cut off');
    const runs = join(outDir, 'runs');
    const isKept = (name: string) => existsSync(join(runs, name, '1', 'part.json'));
    const kept = readdirSync(runs).filter(isKept);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(SESSIONS);
    await expect.poll(left).toEqual(nothing);
    const readRecord = (name: string) => readFileSync(join(runs, name, '1', 'part.json'), 'utf8');
    const first = readRecord(kept[0] ?? '');

    expect(await played(outDir, true, () => undefined)).toBe('complete');
    await expect.poll(left).toEqual(nothing);
    expect(readRecord(kept[0] ?? '')).toBe(first);
    const records = readdirSync(runs).map((name) => {
      const record = JSON.parse(readRecord(name)) as SessionRecord;
      expect(existsSync(join(runs, name, '1', 'video_sent.parquet'))).toBe(true);
      expect(record.machine.before.canary?.samples).not.toBe(0);
      return record;
    });
    expect(new Set(records.map(({ session_id }) => session_id)).size).toBe(SESSIONS);
    expect(new Set(records.map(({ arm }) => arm))).toEqual(new Set(['A', 'B']));
    for (const file of filesBelow(runs)) {
      const text = readFileSync(file, 'latin1');
      for (const arm of ARMS) expect([file, text.includes(arm)]).toEqual([file, false]);
    }
    const python = await ensurePython(() => undefined);
    const run = (...words: string[]) =>
      execFileSync(python, words, { cwd: outDir, env: pythonEnv(), encoding: 'utf8' });
    const found = JSON.parse(
      run(
        '-c',
        `import duckdb, json
rows = duckdb.sql("""SELECT condition, min(min_rtt) / 1000, avg(size) FROM 'runs/*/*/video_sent.parquet'
  WHERE outcome = 'completed' GROUP BY ALL""").fetchall()
print(json.dumps(rows))`,
      ),
    ) as [string, number, number][];
    expect(found.length).toBeGreaterThan(0);
    for (const [condition, rtt_ms, bytes] of found) {
      // The name of a network begins with the name of its file.
      expect(NETWORKS.map(({ name }) => `traces-${name}`)).toContain(condition);
      // mm-delay gets (RTT_MS - 1) / 2 per direction, rounded down: 38 ms in total. mm-link adds the rest.
      expect(rtt_ms).toBeGreaterThan(RTT_MS - 4);
      expect(bytes).toBeGreaterThan(1000);
    }

    run('-m', 'sammy_analysis', 'trial', outDir, '--iterations', '50');
    const { primary } = JSON.parse(readFileSync(join(outDir, 'trial.json'), 'utf8')) as {
      primary: { flows: { name: string; sessions: number }[] };
    };
    const assigned = primary.flows.reduce((sum, { sessions }) => sum + sessions, 0);
    expect(assigned).toBe(SESSIONS);
    for (const { name } of primary.flows) expect(ARMS).toContain(name);
    expect(readFileSync(join(outDir, 'report.html'), 'utf8')).toContain('over real TCP');
  } finally {
    process.env.PATH = PATH;
    rmSync(outDir, { recursive: true });
  }
});

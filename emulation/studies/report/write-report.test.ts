import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionSettings } from '../../player/records/session-settings.ts';
import { studies } from '../sessions/index.ts';
import type { SessionStudy } from '../sessions/session-study.ts';
import { readRuns } from '../../player/records/read-runs.ts';
import type { Summary } from './summary.ts';
import { fixtureExperiment, writeFixture } from './testing/fixture.ts';
import { answerLines, writeReport } from './write-report.ts';

let outDir = '';
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), 'report-'));
});
afterEach(() => rmSync(outDir, { recursive: true }));

const small: SessionSettings = { ...fixtureExperiment, runs: 3, seconds: 20 };
const page = () => readFileSync(join(outDir, 'report.html'), 'utf8');
const session = (cell: string, k: number) => join(outDir, 'runs', cell, String(k), 'session.json');

describe('writeReport', () => {
  const ofSessions = studies.filter((each): each is SessionStudy => 'settings' in each);
  it.each(ofSessions.map(({ name, settings }) => [name, settings] as const))(
    'draws %s, on one page that asks for nothing else',
    (_, experiment) => {
      // Only a few of the dozens of conditions and arms, to save time.
      const conditions = experiment.conditions?.slice(0, 3);
      const arms = experiment.arms.slice(0, 4);
      writeFixture(outDir, { ...experiment, arms, ...(conditions && { conditions }), runs: 2, seconds: 20 });
      writeReport(outDir);
      const html = page();
      expect(html).toContain(experiment.about);
      expect(html).toContain('<svg');
      expect(html).toContain('Figure 1.');
      expect(html).not.toMatch(/<script|<link|<img|@import|url\(|(?:src|href)=/);
      expect(html).not.toMatch(/NaN|undefined|Infinity/);
      expect(html.length).toBeLessThan(2e6);
    },
  );

  it('writes the summary that it returns, and leaves no other files', () => {
    writeFixture(outDir, small);
    const summary = writeReport(outDir);
    expect(JSON.parse(readFileSync(join(outDir, 'summary.json'), 'utf8')) as Summary).toEqual(summary);
    expect(readdirSync(outDir).sort()).toEqual(['manifest.json', 'report.html', 'runs', 'summary.json']);
  });

  it('stays small for long sessions of many arms', () => {
    const arms = ['dashjs', 'sammy-paper', 'sammy-smooth', 'naive-4x', 'initial-only'];
    writeFixture(outDir, { ...fixtureExperiment, arms, runs: 1, seconds: 300 });
    writeReport(outDir);
    expect(page().length).toBeLessThan(2e6);
  });

  it('states the command, the commit, the versions, and the progress of an unfinished experiment', () => {
    writeFixture(outDir, small, { finished: 2 });
    writeReport(outDir);
    expect(page()).toContain('Unfinished: 4 of 6 runs');
    expect(page()).toContain('npm run lab -- run single --runs 3 --seed 1');
    expect(page()).toContain('0123456789abcdef0123456789abcdef01234567');
    expect(page()).toContain('dash.js 5.2.1');
  });

  it('shows neither the machine nor a calibration for runs in virtual time', () => {
    writeFixture(outDir, small);
    for (const cell of small.arms)
      for (let k = 1; k <= small.runs; k++) {
        const record = JSON.parse(readFileSync(session(cell, k), 'utf8')) as object;
        writeFileSync(session(cell, k), JSON.stringify({ ...record, simulated: true }));
      }
    writeReport(outDir);
    expect(page()).toContain('a virtual link is exactly as requested');
    expect(page()).not.toContain('The machine</h2>');
    expect(page()).not.toContain('repeated runs');
  });

  it('states how many sessions of an arm ended with a network error, in the report and in the terminal', () => {
    writeFixture(outDir, small);
    writeReport(outDir);
    expect(page()).not.toContain('network error');
    const record = JSON.parse(readFileSync(session('sammy-paper', 2), 'utf8')) as object;
    writeFileSync(session('sammy-paper', 2), JSON.stringify({ ...record, player_error: 'fragLoadTimeOut' }));
    writeReport(outDir);
    const sentence =
      'sammy-paper: 1 of 3 sessions ended with a network error of the player (fragLoadTimeOut). ' +
      'Such sessions count as stalled until their end, once the buffer is empty.';
    expect(page()).toContain(sentence);
    expect(answerLines(outDir)).toContain(sentence);
  });

  it('warns if the machine was busy', () => {
    writeFixture(outDir, small);
    writeReport(outDir);
    expect(page()).not.toContain('% busy (see Calibration)');
    const record = JSON.parse(readFileSync(session('sammy-paper', 1), 'utf8')) as object;
    writeFileSync(session('sammy-paper', 1), JSON.stringify({ ...record, machine_busy_pct: 90 }));
    writeReport(outDir);
    expect(page()).toContain('During 1 of 6 runs the machine was more than 85% busy');
  });

  it('warns if a run was kept although the machine was too busy, and counts excluded runs', () => {
    const reason = 'other programs took 40.0% of the machine, more than 15%';
    const removed = [
      { cell: 'sammy-paper', k: 1, reason: `busy: ${reason}` },
      { cell: 'sammy-paper', k: 1, reason: `busy: ${reason}` },
      { cell: 'sammy-paper', k: 2, reason: 'invalid: the idle RTT is 9.20 ms' },
    ];
    writeFixture(outDir, small, { manifest: { removed } });
    writeReport(outDir);
    expect(page()).not.toContain("too busy for them by the lab's own rule");
    const record = JSON.parse(readFileSync(session('sammy-paper', 1), 'utf8')) as object;
    writeFileSync(session('sammy-paper', 1), JSON.stringify({ ...record, too_busy: reason }));
    writeReport(outDir);
    const text = page().replace(/\s+/g, ' ');
    expect(text).toContain('1 of 6 runs are among the results although the machine was too busy');
    // The columns: excluded, kept although excluded, repeated for other reasons.
    expect(text).toContain('>sammy-paper</th><td>2</td><td>1</td><td>1</td>');
  });

  it('warns if the control drifted, and states if there are too few runs to tell', () => {
    writeFixture(outDir, small);
    writeReport(outDir);
    expect(page()).toContain('Too few runs of dashjs');
    const fallen = { ...small, runs: 6 };
    writeFixture(outDir, fallen);
    for (let k = 1; k <= fallen.runs; k++) {
      const run = JSON.parse(readFileSync(session('dashjs', k), 'utf8')) as { metrics: object };
      const changed = {
        ...run,
        started: `2026-02-03T14:${k - 1}0:00.000Z`,
        metrics: { ...run.metrics, chunk_throughput_kbps: 33_000 - 1000 * k },
      };
      writeFileSync(session('dashjs', k), JSON.stringify(changed));
    }
    writeReport(outDir);
    // A fall of 1000 kbit/s in ten minutes is 6000 kbit/s per hour, or 20.3% of the median of 29,500 kbit/s. Of the
    // 6! = 720 orders, one always falls and one always rises, so p = 2 / 720.
    const text = page().replace(/\s+/g, ' ');
    expect(text).toContain('drifted over the experiment: −20.3% an hour');
    expect(text).toContain('p = 0.003');
    expect(text).toContain('a control that was not the same all along');
  });

  it('exists before the first run is finished', () => {
    writeFixture(outDir, small, { finished: 0 });
    expect(writeReport(outDir)).toEqual({ experiment: 'single', arms: {}, comparisons: [] });
    expect(page()).toContain('Unfinished: 0 of 6 runs');
  });

  it("reports a folder without a study's runs", () => {
    expect(() => writeReport(outDir)).toThrow(`${outDir} has no manifest.json`);
  });

  it("shows the paper's value next to the measured one", () => {
    writeFixture(outDir, small);
    writeReport(outDir);
    expect(page()).toContain('−53.0%');
    expect(page()).toContain('§6, Fig. 7');
  });

  it('counts repeated runs, with the reasons', () => {
    const reason = 'the idle RTT is 9.20 ms, expected 5 ms';
    writeFixture(outDir, small, { manifest: { removed: [{ cell: 'sammy-paper', k: 2, reason }] } });
    writeReport(outDir);
    expect(page()).toContain('Why runs were repeated (1)');
    expect(page()).toContain(`sammy-paper, run 2: ${reason}`);
  });

  it('draws the queue of the switch if the link had one', () => {
    writeFixture(outDir, small, { switchQueue: true });
    writeReport(outDir);
    expect(page()).toContain('queue depth (packets)');
  });

  it('draws an unknown experiment', () => {
    writeFixture(outDir, { ...small, name: 'mine', conditions: [{ name: 'a' }, { name: 'b' }] });
    writeReport(outDir);
    expect(page()).toContain('Every condition');
  });

  it.each<readonly [string, () => string, string, string]>([
    ['a run that is no JSON', () => session('sammy-paper', 1), '{"arm": "sam', 'JSON'],
    ['a run without its arm', () => session('sammy-paper', 1), '{}', 'arm must be a string, not missing'],
    ['a manifest that is none', () => join(outDir, 'manifest.json'), '[]', 'a manifest must be an object'],
  ])('writes nothing for %s, and names the file', (_, file, content, message) => {
    writeFixture(outDir, small);
    writeFileSync(file(), content);
    expect(() => writeReport(outDir)).toThrow(file());
    expect(() => writeReport(outDir)).toThrow(message);
    expect(readdirSync(outDir).sort()).toEqual(['manifest.json', 'runs']);
  });
});

describe('readReportData', () => {
  it.each<readonly [string, object, string]>([
    ['of another length', { seconds: 3 }, 'a session of 3 s in an experiment of 20 s'],
    [
      'of a cell that is not planned',
      { arm: 'sammy-paper', condition: 'slow' },
      "no cell 'sammy-paper@slow'",
    ],
  ])('refuses a run %s', (_, changes, message) => {
    writeFixture(outDir, small);
    const run = JSON.parse(readFileSync(session('sammy-paper', 1), 'utf8')) as object;
    const cell = 'condition' in changes ? 'sammy-paper@slow' : 'sammy-paper';
    mkdirSync(join(outDir, 'runs', cell, '1'), { recursive: true });
    writeFileSync(session(cell, 1), JSON.stringify({ ...run, ...changes }));
    expect(() => writeReport(outDir)).toThrow(`${session(cell, 1)}: `);
    expect(() => writeReport(outDir)).toThrow(message);
  });
});

describe('readRuns', () => {
  it('reads finished runs in order, and skips unfinished ones', () => {
    writeFixture(outDir, { ...small, runs: 11, seconds: 5 });
    mkdirSync(join(outDir, 'runs', 'sammy-paper', '12'));
    const runs = readRuns(outDir).filter(({ arm }) => arm === 'sammy-paper');
    expect(runs.map(({ k }) => k)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('is empty without runs', () => {
    expect(readRuns(outDir)).toEqual([]);
  });

  const change = (edit: (run: Record<string, unknown>) => void) => {
    writeFixture(outDir, { ...small, seconds: 5 });
    const run = JSON.parse(readFileSync(session('sammy-paper', 2), 'utf8')) as Record<string, unknown>;
    edit(run);
    writeFileSync(session('sammy-paper', 2), JSON.stringify(run));
  };

  const load = {
    ...{ seconds: 5, busy_pct: 20, others_pct: 1, steal_pct: null, steal_of_demand_pct: 0 },
    ...{ pressure_ms_per_s: null, run_queue_delay_ms_per_s: { edge: 1, link: null }, canary: null },
  };
  const machine = { before: load, session: load, playing: load };

  it('accepts null for what a kernel does not count, and a session that never played', () => {
    change((run) => (run.machine = { ...machine, playing: null }));
    expect(readRuns(outDir)).toHaveLength(6);
  });

  it.each<readonly [string, (run: Record<string, unknown>) => void, string]>([
    ['an unknown metric', (run) => (run.metrics = { speed: 1 }), "no metric is called 'speed'"],
    [
      'a metric that is text',
      (run) => (run.metrics = { switches: 'many' }),
      'switches must be a number, not "many"',
    ],
    ['another arm', (run) => (run.arm = 'dashjs'), "a run of 'dashjs' in the folder of 'sammy-paper'"],
    ['another number', (run) => (run.k = 7), 'run 7 in the folder of run 2'],
    ['an invalid link', (run) => (run.calibration = { valid: false }), 'calibration: not valid'],
    ['a start that is no time', (run) => (run.started = 'yesterday'), 'started must be a time'],
    ['an error without a name', (run) => (run.player_error = 3), 'player_error must be a string'],
    ['a mark that is no reason', (run) => (run.too_busy = 3), 'too_busy must be a string'],
    ['a machine that is none', (run) => (run.machine = 'busy'), 'machine must be an object'],
    ['a machine of nothing', (run) => (run.machine = {}), 'machine: before must be an object, not missing'],
    [
      'a load that is text',
      (run) => (run.machine = { ...machine, session: { ...machine.session, others_pct: '12' } }),
      'machine: session: others_pct must be a number, not "12"',
    ],
    [
      'a machine without the waits of its threads',
      (run) =>
        (run.machine = { ...machine, playing: { ...machine.session, run_queue_delay_ms_per_s: null } }),
      'machine: playing: run_queue_delay_ms_per_s must be an object',
    ],
    [
      'a canary of text',
      (run) => (run.machine = { ...machine, before: { ...machine.session, canary: { late_pct: '2' } } }),
      'machine: before: canary: late_pct must be a number',
    ],
  ])('refuses %s', (_, edit, message) => {
    change(edit);
    expect(() => readRuns(outDir)).toThrow(`${session('sammy-paper', 2)}: `);
    expect(() => readRuns(outDir)).toThrow(message);
  });
});

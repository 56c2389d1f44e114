import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WORLD } from './demand.ts';
import { experimentRuns, worldExperiment } from './experiment.ts';
import { METRICS, type SessionRow } from './session-row.ts';
import { experimentLines, writeExperiment } from './results/write-experiment.ts';

const all = { world: WORLD, days: 1, seed: 1, treatment: 'cap' } as const;
const nothing = Object.fromEntries(METRICS.map((name) => [name, null])) as SessionRow['metrics'];
const csv = { format: 'csv', metrics: METRICS } as const;
const row = (session_id: string, arm: string, kbps: number): SessionRow => ({
  ...{ session_id, unit: session_id, cluster: 'north', arm, allocation: 0.5 },
  ...{ started_at: '2026-03-02T20:00:00.000Z', window: null, washout: false },
  metrics: { ...nothing, chunk_throughput_kbps: kbps },
});

it('compares the arms of one link, its untreated sessions with the same sessions elsewhere, and all with none, by hand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'world-experiment-'));
  try {
    const planned = worldExperiment(all, 'ab', { truthLinks: ['north'] });
    expect(planned.truths.map(({ design }) => design)).toEqual(['all treated', 'none treated']);
    const own = [row('a', 'control', 1500), row('b', 'treatment', 2000)];
    const treated = [row('a', 'treatment', 2000), row('b', 'treatment', 2500)];
    const untreated = [row('a', 'control', 1000), row('b', 'control', 3000)];
    writeExperiment(folder, planned, [own, treated, untreated], csv);
    const [said = ''] = experimentLines(planned, [own, treated, untreated]);
    // The test compares 2000 with 1500, the spillover 1500 with the same session's 1000, and the true effect the means
    // (2000 + 2500) / 2 and (1000 + 3000) / 2.
    const line = /chunk_throughput_kbps.*/.exec(said)?.[0];
    expect(line?.split(/ +/)).toEqual(['chunk_throughput_kbps', '33.3%', '50.0%', '12.5%']);
    const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Record<string, object>;
    expect(truth.chunk_throughput_kbps).toEqual({ tte_pct: 12.5, by_session_pct: 12.5 });
    expect(readFileSync(join(folder, 'sessions.csv'), 'utf8').split('\n')).toHaveLength(4);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('includes the days before the experiment in its sessions, but in no result', () => {
  const folder = mkdtempSync(join(tmpdir(), 'world-experiment-'));
  try {
    const planned = worldExperiment(all, 'paired', { baselineDays: 2, truthLinks: ['north'] });
    expect(planned.baseline).toEqual(
      ['north', 'south'].map((link) => ({ ...all, days: 2, link, design: 'baseline' })),
    );
    // Everything else is the same as without a baseline.
    const without = worldExperiment(all, 'paired', { truthLinks: ['north'] });
    expect({ ...planned, baseline: [] }).toEqual(without);
    expect(experimentRuns(planned).map(({ design }) => design)).toEqual([
      ...['baseline', 'baseline', 'paired', 'paired', 'all treated', 'none treated'],
    ]);
    const before = [[row('x', 'control', 9000)], [row('y', 'control', 7000)]];
    const own = [
      [row('a', 'control', 1500), row('b', 'treatment', 2000)],
      [{ ...row('c', 'control', 1), cluster: 'south' }],
    ];
    const truths = [[row('a', 'treatment', 2000)], [row('a', 'control', 1000)]];
    const rows = [...before, ...own, ...truths];
    writeExperiment(folder, planned, rows, csv);
    const [said = ''] = experimentLines(planned, rows);
    const line = /chunk_throughput_kbps.*/.exec(said)?.[0];
    expect(line?.split(/ +/)).toEqual(['chunk_throughput_kbps', '33.3%', '50.0%', '100.0%']);
    const sessions = readFileSync(join(folder, 'sessions.csv'), 'utf8').trim().split('\n').slice(1);
    expect(sessions.map((session) => session.slice(0, 1))).toEqual(['x', 'y', 'a', 'b', 'c']);
    writeExperiment(folder, planned, rows, { format: 'parquet', metrics: METRICS });
    expect(readFileSync(join(folder, 'sessions.parquet'), 'latin1')).toMatch(/^PAR1/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('has no true effect if nobody is treated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'world-experiment-'));
  try {
    const planned = worldExperiment(all, 'aa');
    writeExperiment(folder, planned, [[row('a', 'control', 1)], []], csv);
    expect(planned.truths).toEqual([]);
    expect(existsSync(join(folder, 'truth.json'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

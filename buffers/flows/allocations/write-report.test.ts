import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeManifest } from '../../../emulation/harness/runs/manifest.ts';
import { cellName, allocationTraffic } from './cell.ts';
import type { AllocationResult } from './allocation-result.ts';
import { plannedCells, planAllocations } from './settings.ts';
import { writeAllocationReport } from './write-report.ts';

const { settings } = planAllocations({ name: 'ab-lab', about: '', figure: '' }, { quick: true });
let folder: string;

/** Writes a run in which every connection has its fair share of 20 Mbit/s. */
function writeRun(name: string, result: AllocationResult): void {
  const run = join(folder, 'runs', name, '1');
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, 'result.json'), JSON.stringify(result));
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ab-lab-'));
  writeManifest(folder, {
    ...{ command: 'npm run lab -- run ab-lab', commit: 'abc', versions: {}, kernel: '6', seed: 1, units: '' },
    ...{ started: '2026-03-02T00:00:00.000Z', ended: null, experiment: settings, removed: [] },
    ...{ place: { backend: 'light', link: 'p4', clock: 'real' }, plan: [] },
  });
  for (const cell of plannedCells(settings, ['connections'])) {
    const { units, traffic } = allocationTraffic(cell, settings, { ...settings, seed: 1 });
    writeRun(cellName(cell), {
      ...{ comparison: 'connections', treated: cell.treated, seconds: 33, from_s: 5 },
      started_at: `2026-03-02T00:0${cell.treated % 10}:00.000Z`,
      units: units.map(({ unit, arm, flows }) => ({
        ...{ unit, arm, retransmit_pct: 1 },
        throughput_kbps: (20_000 * flows.length) / traffic.flows.length,
      })),
      ...{ utilization_mean: 1, queue_p50_packets: 70, buffer_packets: 139, lateness_p99_us: 90 },
      ...{ switch_cpu_share: 0.1, others_pct: 3, steal_pct: null },
    });
  }
  writeAllocationReport(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('the report of ab-lab', () => {
  it("shows the result of an A/B test and of a deployment next to the paper's results", () => {
    const page = read('report.html');
    expect(page).toContain(
      'An A/B test with 1 of 10 treated says +100.0% of throughput; deployed to all, the change is 0%.',
    );
    expect(page).toContain('+100% at every allocation');
    expect(page).toContain('almost +175%');
    expect(page).toContain('Unfinished');
    expect(page).toContain('One run of an allocation cannot tell chance from an effect');
    expect(page).toContain('packets of 1514 bytes, buffer 1 BDP, dropped at the front; bursts of up to 1');
    // The other comparisons have no runs yet.
    expect(page).not.toContain('BBR instead of Cubic');
  });

  it('has a chart of each metric, and the effects in summary.json', () => {
    for (const metric of ['throughput_kbps', 'retransmit_pct'])
      expect(read(`figures/figure-2a-${metric}.svg`)).toMatch(/^<svg.*two connections/s);
    const { findings } = JSON.parse(read('summary.json')) as {
      findings: { connections: { effects: { throughput_kbps: { tte: { pct: number } } } } };
    };
    expect(findings.connections.effects.throughput_kbps.tte.pct).toBeCloseTo(0, 9);
  });

  it('has a row per application and run, which `npm run experiment -- analyze` reads', () => {
    const [head, ...rows] = read('units.csv').trim().split('\n');
    expect(head).toBe(
      'session_id,experiment,unit,cluster,arm,allocation,started_at,throughput_kbps,retransmit_pct',
    );
    expect(rows).toHaveLength(50);
    expect(rows[0]).toBe(
      'connections-0-1-0,connections,application-0,switch,control,0,2026-03-02T00:00:00.000Z,2000,1',
    );
    expect(rows.filter((row) => row.includes(',treatment,'))).toHaveLength(0 + 1 + 5 + 9 + 10);
  });
});

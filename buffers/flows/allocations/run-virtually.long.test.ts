import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ALLOCATION_OPTIONS } from './options.ts';
import type { StudyRequest } from '../../../emulation/harness/runs/study.ts';
import type { KernelName } from '../../packets/kernel-rules.ts';
import { allocationTraffic } from './cell.ts';
import { comparisons, UNITS, type Comparison } from './comparison.ts';
import { effectsOn } from './estimands.ts';
import type { AllocationResult } from './allocation-result.ts';
import { runTable } from './run-table.ts';
import { runVirtually } from './run-virtually.ts';
import { planAllocations } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'ab-virtual-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [connections, pacing, congestion] = comparisons as [Comparison, Comparison, Comparison];

/**
 * Simulates two seconds (2000 round trips) of the lab of Unbiased Experiments in Congested Networks. Returns the result
 * of an A/B test of throughput in %, and the record of the run.
 */
async function play(
  comparison: Comparison,
  {
    kernel,
    treated = 5,
    ...asked
  }: { kernel: KernelName; treated?: number } & StudyRequest<typeof ALLOCATION_OPTIONS>,
) {
  const about = { name: 'ab-lab', about: '', figure: '' };
  const { settings } = planAllocations(about, { rules: kernel, ...asked });
  const { traffic, units } = allocationTraffic({ comparison, treated }, settings, {
    from_s: 1,
    seconds: asked.seconds ?? 3,
    seed: 1,
  });
  const spec = { comparison: comparison.name, treated, units, folder, traffic, kernel, seed: 1 };
  expect(await runVirtually(spec)).toEqual({ kind: 'finished' });
  const record = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as AllocationResult;
  const { points } = effectsOn(
    'throughput_kbps',
    [{ treated, runs: [{ k: 1, units: record.units }] }],
    UNITS,
  );
  return { tau_pct: points[0]?.tau?.pct ?? NaN, record };
}

describe("the paper's lab in virtual time", () => {
  it('shares 10 Gbit/s between connections: two get twice as much as one', async () => {
    const { tau_pct, record } = await play(connections, { kernel: '5.5' });
    expect(record.utilization_mean).toBeGreaterThan(0.98);
    const together_kbps = record.units.reduce((sum, { throughput_kbps }) => sum + throughput_kbps, 0);
    expect(Math.abs(together_kbps / 10e6 - 1)).toBeLessThan(0.02);
    // The paper's +100%, with a tolerance for the chance in two seconds.
    expect(Math.abs(tau_pct - 100)).toBeLessThan(35);
  }, 60_000);

  it('lets paced connections lose about half by the pacing rules of Linux 5.5, as in the paper, and less by later rules', async () => {
    const then = await play(pacing, { kernel: '5.5' });
    const now = await play(pacing, { kernel: '6.1' });
    expect(then.tau_pct).toBeLessThan(-30);
    expect(then.tau_pct).toBeGreaterThan(-70);
    expect(now.tau_pct).toBeGreaterThan(then.tau_pct + 10);
    // Under the rules of Linux 5.5, pacing hides that the window limits the sender.
    const limited = ({ record }: typeof then, arm: 'control' | 'treatment') =>
      record.window_limits_share?.[arm] ?? NaN;
    expect(limited(then, 'treatment')).toBeGreaterThan(0);
    expect(limited(then, 'treatment')).toBeLessThan(limited(then, 'control'));
    expect(limited(now, 'treatment')).toBeGreaterThan(limited(then, 'treatment'));
    expect(limited(now, 'treatment')).toBeLessThanOrEqual(1);
  }, 60_000);

  it("names the only measured arm in the windows column of the report's table", async () => {
    const { record } = await play(pacing, { kernel: '5.5', treated: 0 });
    expect(record.window_limits_share?.treatment).toBeNull();
    const share = record.window_limits_share?.control ?? NaN;
    const { text } = runTable([{ cell: { comparison: pacing, treated: 0 }, k: 1, result: record }]);
    expect(text).toContain('window is the limit, control (% of ACKs)');
    expect(text).toContain(`<td>${(share * 100).toFixed(1)}%</td>`);
    const { window_limits_share: _, ...live } = record;
    expect(runTable([{ cell: { comparison: pacing, treated: 0 }, k: 1, result: live }]).text).not.toContain(
      'window is the limit',
    );
  }, 60_000);

  it("lets a minority of either bbr or cubic win if bbr's two BDP do not fill the buffer", async () => {
    const asked = { kernel: '5.5', buffer: '2', burst: 1, seconds: 2 } as const;
    // Nine BBR flows together keep 2 BDP in flight. The pipe and the buffer hold 3 BDP, so 1 BDP is left for the single
    // Cubic flow, which wins.
    const most = await play(congestion, { ...asked, treated: 9 });
    expect(most.tau_pct).toBeLessThan(-30);
    // A single BBR flow gets up to twice its share, because the Cubic flows give way.
    const few = await play(congestion, { ...asked, treated: 1 });
    expect(few.tau_pct).toBeGreaterThan(10);
    expect(few.record.utilization_mean).toBeGreaterThan(0.98);
  }, 60_000);

  it("starves cubic in a buffer of one BDP, the paper's, which nine bbr keep full", async () => {
    const { tau_pct } = await play(congestion, { kernel: '5.5', treated: 9, seconds: 2 });
    expect(tau_pct).toBeGreaterThan(500);
  }, 60_000);
});

import { describe, expect, it } from 'vitest';
import { traces } from '../sessions/traces.ts';
import type { Measured } from '../../player/records/metrics.ts';
import { withAvoidable } from './avoidable.ts';
import { findParts } from './parts.ts';
import { renderReport } from './write-report.ts';
import { summarize } from './summary.ts';
import { record } from './testing/records.ts';

const conditions = Array.from({ length: 8 }, (_, index) => ({ name: `trace-${index}` }));
const experiment = { ...traces.settings, conditions };

/**
 * Makes the runs of every arm under every condition. `stall` and `ssim` depend on the arm and, slightly, on the
 * condition.
 */
const records = (arms: Readonly<Record<string, readonly [stall: number, ssim: number]>>) =>
  conditions.flatMap(({ name }, index) =>
    Object.entries(arms).map(([arm, [stall, ssim]]) => {
      const measured: Measured = { rebuffer_ratio: stall + index / 100, mean_ssim_db: ssim + index / 1000 };
      return record(arm, 1, measured, name);
    }),
  );

const all = records({
  dashjs: [0.05, 20],
  'dashjs-no-fast-switch': [0.04, 19],
  lowest: [0.01, 12],
  'initial-only': [0.02, 20.5],
  'sammy-paper': [0.03, 20.4],
});

describe('the parts of a difference', () => {
  it('exist for each arm that paces, if the experiment has the arms in between', () => {
    expect(findParts(experiment).map(({ arm }) => arm)).toEqual([
      ...Array<string>(4).fill('sammy-paper'),
      ...Array<string>(4).fill('sammy-smooth'),
    ]);
    expect(findParts({ ...experiment, arms: ['dashjs', 'dashjs-no-fast-switch', 'sammy-paper'] })).toEqual(
      [],
    );
    expect(findParts({ ...experiment, arms: ['dashjs', 'initial-only', 'sammy-paper'] })).toEqual([]);
    const mpc = ['dashjs', 'dashjs-no-fast-switch', 'mpc-hm-unpaced', 'sammy-mpc-hm'];
    expect(findParts({ ...experiment, arms: mpc }).map(({ treatment }) => treatment)).toEqual([
      'dashjs-no-fast-switch',
      'mpc-hm-unpaced',
      'sammy-mpc-hm',
      'sammy-mpc-hm',
    ]);
  });

  it('add up to the whole difference', () => {
    const { parts = [] } = summarize(experiment, all, 1);
    const ssim = parts.filter(({ arm, metric }) => arm === 'sammy-paper' && metric === 'mean_ssim_db');
    expect(ssim.map(({ part, difference }) => [part, Number(difference.toFixed(9))])).toEqual([
      ['without fast switch', -1],
      ['choice of rungs', 1.5],
      ['pacing', -0.1],
      ['in all', 0.4],
    ]);
  });

  it('are shown in the report, with the margin', () => {
    const summary = summarize(experiment, all, 1);
    const manifest = {
      ...{ command: '', commit: '', versions: {}, kernel: '', seed: 1, units: {}, started: '' },
      ...{ experiment, removed: [], plan: [] },
      place: { backend: 'chromium', link: 'mahimahi', clock: 'real' } as const,
    };
    const page = renderReport({ manifest, records: all, summary, series: [] });
    expect(page).toContain('Whose part it is');
    expect(page).toContain('0.5 percentage points of the rebuffer ratio, 0.1 dB of SSIM');
  });
});

describe('withAvoidable', () => {
  it('subtracts the stalls of the lowest rung on the same trace', () => {
    const avoidable = withAvoidable(all).filter(({ arm }) => arm === 'sammy-paper' || arm === 'lowest');
    for (const { arm, metrics } of avoidable)
      expect(metrics.avoidable_rebuffer_ratio).toBeCloseTo(arm === 'sammy-paper' ? 0.02 : 0, 12);
  });

  it('leaves runs unchanged if no arm takes the lowest rung', () => {
    const others = all.filter(({ arm }) => arm !== 'lowest');
    expect(withAvoidable(others)).toEqual(others);
  });
});

import { expect, it } from 'vitest';
import { metrics } from '../records/metrics.ts';
import { neighbors } from './index.ts';
import { defineNeighbor, type RunningNeighbor } from './neighbor.ts';

const delay = { unit: 'ms', better: 'lower', label: 'delay' } as const;
const about = {
  name: 'idle',
  about: 'nothing',
  bars: { title: 'Idle', whole: 'delay_ms', inFlight: 'delay_ms' },
} as const;

function running<Name extends string>(measured: Record<Name, number | null>): Promise<RunningNeighbor<Name>> {
  return Promise.resolve({
    playbackStarted: () => undefined,
    finish: () => Promise.resolve({ metrics: measured, csv: [['t_s']] }),
    close: () => Promise.resolve(),
  });
}

it('is a compile error if declared and measured metrics differ', () => {
  const one = () => running({ delay_ms: 1 });
  const two = () => running({ delay_ms: 1, loss_pct: 0 });
  const lossBars = { ...about.bars, whole: 'loss_pct' } as const;
  defineNeighbor({ ...about, metrics: { delay_ms: delay }, start: one });
  // @ts-expect-error -- loss_pct is declared and never measured
  defineNeighbor({ ...about, metrics: { delay_ms: delay, loss_pct: delay }, start: one });
  // @ts-expect-error -- loss_pct is measured and not declared
  defineNeighbor({ ...about, metrics: { delay_ms: delay }, start: two });
  // @ts-expect-error -- the bars show a metric that the neighbor does not declare
  defineNeighbor({ ...about, metrics: { delay_ms: delay }, bars: lossBars, start: one });
  const both = { delay_ms: delay, loss_pct: delay };
  expect(defineNeighbor({ ...about, metrics: both, bars: lossBars, start: two }).metrics).toBe(both);
});

it('no two metrics of any neighbors share a name or a label', () => {
  const names = metrics.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(metrics.map(({ label }) => label)).size).toBe(names.length);
  for (const { bars } of neighbors)
    expect(names).toEqual(expect.arrayContaining([bars.whole, bars.inFlight]));
});

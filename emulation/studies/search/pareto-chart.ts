import * as Plot from '@observablehq/plot';
import type { Look } from '../../ground/drawing/palette.ts';
import { conditionLooks, plotScales } from '../../ground/drawing/palette.ts';
import { svg } from '../../ground/drawing/svg.ts';
import { formatTick } from '../../ground/drawing/format.ts';
import type { Markup } from '../../ground/drawing/html.ts';
import { isHarmless } from './front.ts';
import type { SearchResult } from './records.ts';

const KINDS = ['tried', 'on the front', 'confirmed', 'default'] as const;

/** Sammy Figure 5: quality by chunk throughput, one dot per trial; undefined without trials. */
export function paretoChart({ trials, front, confirmed }: SearchResult): Markup | undefined {
  if (trials.length === 0) return undefined;
  const onFront = new Set(front.map(({ trial }) => trial));
  const dots = trials.map(({ trial, objectives }) => ({
    ...objectives,
    kind: onFront.has(trial) ? KINDS[1] : KINDS[0],
    harmless: isHarmless(objectives),
    label: '',
  }));
  const named = confirmed.map(({ arm, training }) => ({
    ...training,
    kind: arm.name.includes('default') ? KINDS[3] : KINDS[2],
    harmless: isHarmless(training),
    label: arm.name.replace('search-', ''),
  }));
  const all = [...dots, ...named];
  const at = { x: 'throughput_pct', y: 'ssim_db', symbol: 'kind' } as const;
  const axis = { tickFormat: formatTick, grid: true, nice: true } as const;
  return svg('change in SSIM against change in chunk throughput, by trial', {
    width: 1080,
    height: 460,
    marginLeft: 60,
    marginTop: 34,
    marginBottom: 44,
    marginRight: 30,
    x: { ...axis, label: 'change in chunk throughput against unpaced (%)', labelAnchor: 'center', inset: 30 },
    y: { ...axis, label: 'change in SSIM against unpaced (dB)', inset: 10 },
    ...plotScales(conditionLooks(KINDS)),
    marks: [
      Plot.ruleY([0], { stroke: 'currentColor' }),
      Plot.dot(
        all.filter(({ harmless }) => !harmless),
        { ...at, r: 4, stroke: 'kind', fill: 'var(--page)' },
      ),
      Plot.dot(
        all.filter(({ harmless }) => harmless),
        { ...at, r: 4, fill: 'kind' },
      ),
      Plot.text(named, { x: 'throughput_pct', y: 'ssim_db', text: 'label', dy: -13, fill: 'currentColor' }),
    ],
  });
}

export const paretoLegend = (found: SearchResult): Look[] =>
  conditionLooks(KINDS).slice(0, found.confirmed.length > 0 ? KINDS.length : 2);

import * as Plot from '@observablehq/plot';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import { NEUTRAL, colorOf } from './colors.ts';

/** A flow around a loss: its depths are those that its packets found waiting, its windows those at its ACKs. */
interface AroundLoss {
  readonly congestion: string;
  readonly at_s: number;
  readonly before_ms: number;
  readonly after_ms: number;
  readonly depths: readonly { readonly t_s: number; readonly depth_packets: number }[];
  readonly windows: readonly { readonly t_s: number; readonly cwnd_packets: number }[];
}

interface Look {
  /** For a screen reader, and of the vertical axis. */
  readonly label: string;
  readonly axis: string;
  readonly size: { readonly width: number; readonly height: number; readonly marginLeft?: number };
  readonly ticks?: number;
  readonly strokeWidth?: number;
}

/** Window and queue around a loss, which is at 0. */
export function lossChart(
  { congestion, at_s, before_ms, after_ms, depths, windows }: AroundLoss,
  { label, axis, size, ticks, strokeWidth }: Look,
): Markup {
  const near = <Row extends { readonly t_s: number }>(rows: readonly Row[]) =>
    rows
      .map((row) => ({ ...row, t_ms: (row.t_s - at_s) * 1000 }))
      .filter(({ t_ms }) => t_ms >= -before_ms && t_ms <= after_ms);
  const [near_windows, near_depths] = [near(windows), near(depths)];
  const color = colorOf(congestion);
  const end = { x: 't_ms', textAnchor: 'end', dx: -4, dy: -8, fontWeight: 600 } as const;
  return svg(label, {
    ...size,
    marginTop: 30,
    marginBottom: 40,
    x: { label: 'time since the loss (ms)', labelArrow: 'none', ...(ticks !== undefined && { ticks }) },
    y: { label: axis, labelArrow: 'none', zero: true, nice: true, grid: true, ticks: 5 },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
      Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '1 3' }),
      Plot.lineY(near_depths, { x: 't_ms', y: 'depth_packets', stroke: NEUTRAL, strokeWidth: 1 }),
      Plot.lineY(near_windows, {
        ...{ x: 't_ms', y: 'cwnd_packets', stroke: color, curve: 'step-after' },
        ...(strokeWidth !== undefined && { strokeWidth }),
      }),
      Plot.text(near_windows.slice(-1), { ...end, y: 'cwnd_packets', text: () => 'window', fill: color }),
      Plot.text(near_depths.slice(-1), { ...end, y: 'depth_packets', text: () => 'queue', fill: NEUTRAL }),
    ],
  });
}

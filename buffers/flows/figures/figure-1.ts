import * as Plot from '@observablehq/plot';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import { makeCell } from '../paper/cell.ts';
import { runsWhere, type BufferFigure } from './figure.ts';
import { NEUTRAL, congestionColor } from '../charts/colors.ts';
import { findEvents } from './series.ts';
import { isPlain } from './statistics.ts';

/** The time shown before and after the loss, in base round trips. */
const [BEFORE, AFTER] = [5, 20];
const EVENT_RTTS = 5;

/** A flow around a loss: the queue depths that its packets found, and its windows at each ACK. */
interface AroundLoss {
  readonly at_s: number;
  readonly before_ms: number;
  readonly after_ms: number;
  readonly depths: readonly { readonly t_s: number; readonly depth_packets: number }[];
  readonly windows: readonly { readonly t_s: number; readonly cwnd_packets: number }[];
}

/** A chart of the window and the queue around a loss. The loss is at time 0. */
function chart({ at_s, before_ms, after_ms, depths, windows }: AroundLoss): Markup {
  const near = <Row extends { readonly t_s: number }>(rows: readonly Row[]) =>
    rows
      .map((row) => ({ ...row, t_ms: (row.t_s - at_s) * 1000 }))
      .filter(({ t_ms }) => t_ms >= -before_ms && t_ms <= after_ms);
  const [near_windows, near_depths] = [near(windows), near(depths)];
  const color = congestionColor('reno');
  const end = { x: 't_ms', textAnchor: 'end', dx: -4, dy: -8, fontWeight: 600 } as const;
  return svg('window and queue after a loss', {
    width: 560,
    height: 300,
    x: { label: 'time since the loss (ms)' },
    y: { label: 'packets', zero: true, nice: true, grid: true, ticks: 5 },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
      Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '1 3' }),
      Plot.lineY(near_depths, { x: 't_ms', y: 'depth_packets', stroke: NEUTRAL, strokeWidth: 1 }),
      Plot.lineY(near_windows, {
        x: 't_ms',
        y: 'cwnd_packets',
        stroke: color,
        curve: 'step-after',
      }),
      Plot.text(near_windows.slice(-1), { ...end, y: 'cwnd_packets', text: () => 'window', fill: color }),
      Plot.text(near_depths.slice(-1), { ...end, y: 'depth_packets', text: () => 'queue', fill: NEUTRAL }),
    ],
  });
}

export const figure1: BufferFigure = {
  number: 1,
  title: 'Window and queue after a loss, Reno',
  caption:
    'The sender’s window at every ACK, as its kernel has it, and the packets that each packet found waiting in the switch, on ' +
    'one clock; the loss is at 0. Buffer: 1 BDP. Paper: Figure 1.',
  columns: 2,
  cells: () => [makeCell('reno', 1, 1)],
  draw(runs, { base_rtt_ms }) {
    const [run] = runsWhere(
      runs,
      (cell) => isPlain(cell) && cell.congestion === 'reno' && cell.flows === 1 && cell.buffer_bdp === 1,
    );
    if (!run) return [];
    const rtt_s = base_rtt_ms / 1000;
    const packets = run.packets();
    const { from_s, seconds } = run.result;
    const at_s = findEvents(packets, EVENT_RTTS * rtt_s).find(
      (t_s) => t_s > from_s + BEFORE * rtt_s && t_s < seconds - AFTER * rtt_s,
    );
    if (at_s === undefined) return [];
    const depths = packets.filter(({ fate }) => fate === 'forwarded');
    const [before_ms, after_ms] = [BEFORE * base_rtt_ms, AFTER * base_rtt_ms];
    return [chart({ at_s, before_ms, after_ms, depths, windows: run.windows() })];
  },
};

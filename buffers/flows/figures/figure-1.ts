import { cellOf } from '../paper/cell.ts';
import { runsOf, type BufferFigure } from './figure.ts';
import { lossChart } from '../charts/loss-chart.ts';
import { eventsOf } from './series.ts';
import { isPlain } from './statistics.ts';

/** In base round trips before and after the loss. */
const [BEFORE, AFTER] = [5, 20];
const EVENT_RTTS = 5;

export const figure1: BufferFigure = {
  number: 1,
  title: 'Window and queue after a loss, Reno',
  caption:
    'The sender’s window at every ACK, as its kernel has it, and the packets that each packet found waiting in the switch, on ' +
    'one clock; the loss is at 0. Buffer: 1 BDP. Paper: Figure 1.',
  columns: 2,
  cells: () => [cellOf('reno', 1, 1)],
  draw(runs, { base_rtt_ms }) {
    const [run] = runsOf(
      runs,
      (cell) => isPlain(cell) && cell.congestion === 'reno' && cell.flows === 1 && cell.buffer_bdp === 1,
    );
    if (!run) return [];
    const rtt_s = base_rtt_ms / 1000;
    const packets = run.packets();
    const { from_s, seconds } = run.result;
    const at_s = eventsOf(packets, EVENT_RTTS * rtt_s).find(
      (t_s) => t_s > from_s + BEFORE * rtt_s && t_s < seconds - AFTER * rtt_s,
    );
    if (at_s === undefined) return [];
    const flow = {
      ...{ congestion: 'reno', at_s, before_ms: BEFORE * base_rtt_ms, after_ms: AFTER * base_rtt_ms },
      ...{ depths: packets.filter(({ fate }) => fate === 'forwarded'), windows: run.windows() },
    };
    const size = { width: 560, height: 300 };
    return [lossChart(flow, { label: 'window and queue after a loss', axis: 'packets', size })];
  },
};

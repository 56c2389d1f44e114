import type uPlot from 'uplot';
import type { NeighbourRow, QueueRow } from '../../bottleneck/measures.ts';
import { color, TimeChart } from '../time-chart.ts';
import type { Mode } from './comparison.ts';

interface Period {
  readonly from_s: number;
  readonly mode: Mode;
}

const SHADES: Record<Mode, string> = { with: '#4cc9a714', without: '#ef6f6c14' };

/** The queue and the neighbor over session time; the color behind them says whether Sammy was on. */
export class BottleneckCharts {
  #periods: Period[] = [];
  #drops_s: number[] = [];
  #medians_ms: Record<Mode, number | null> = { with: null, without: null };
  readonly #queue: TimeChart;
  readonly #neighbor: TimeChart;

  /** `full_ms` is how long the last packet of a full queue waits. */
  constructor(full_ms: number) {
    const behind = (plot: uPlot) => this.#shade(plot);
    this.#queue = new TimeChart(
      'queue',
      [{ label: 'longest wait', color: color('--blue'), fill: '#6ea8fe40', unit: 'ms' }],
      { legend: false, rules: () => [full_ms], behind, before: (plot) => this.#markDrops(plot) },
    );
    const dots = { dots: true, unit: 's' };
    this.#neighbor = new TimeChart(
      'neighbor',
      [
        { ...dots, label: 'without Sammy', color: color('--plain') },
        { ...dots, label: 'with Sammy', color: color('--sammy') },
        { ...dots, label: 'neither', color: color('--faint') },
      ],
      { legend: false, behind, before: (plot) => this.#drawMedians(plot) },
    );
  }

  addQueue(time_s: number, { wait_ms, dropped }: QueueRow): void {
    if (dropped > 0) this.#drops_s.push(time_s);
    this.#queue.add(time_s, [wait_ms]);
  }

  /** `time_s` is when the response was complete. */
  addResponse(time_s: number, { from_ms, to_ms }: NeighbourRow, mode: Mode | null): void {
    const seconds = (to_ms - from_ms) / 1000;
    this.#neighbor.add(time_s, [
      mode === 'without' ? seconds : null,
      mode === 'with' ? seconds : null,
      mode === null ? seconds : null,
    ]);
  }

  enter(mode: Mode, time_s: number): void {
    this.#periods.push({ from_s: time_s, mode });
  }

  setMedians(medians_ms: Record<Mode, number | null>): void {
    this.#medians_ms = medians_ms;
  }

  clear(): void {
    [this.#periods, this.#drops_s] = [[], []];
    this.#queue.clear();
    this.#neighbor.clear();
  }

  #shade(plot: uPlot): void {
    const { ctx, bbox, scales } = plot;
    const end_s = scales.x?.max ?? 0;
    // uPlot remembers what it has set, so everything is put back.
    ctx.save();
    this.#periods.forEach(({ from_s, mode }, index) => {
      const [from, to] = [from_s, this.#periods[index + 1]?.from_s ?? end_s].map((second) =>
        plot.valToPos(Math.min(Math.max(second, 0), end_s), 'x', true),
      ) as [number, number];
      ctx.fillStyle = SHADES[mode];
      ctx.fillRect(from, bbox.top, to - from, bbox.height);
    });
    ctx.restore();
  }

  /** A red tick at the top for every tenth of a second with drops. */
  #markDrops(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.fillStyle = color('--plain');
    for (const second of this.#drops_s) {
      ctx.fillRect(plot.valToPos(second, 'x', true) - 1, bbox.top, 2, 9 * devicePixelRatio);
    }
    ctx.restore();
  }

  #drawMedians(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.setLineDash([6, 5]);
    for (const [mode, median] of Object.entries(this.#medians_ms)) {
      if (median === null) continue;
      const y = plot.valToPos(median / 1000, 'y', true);
      ctx.strokeStyle = color(mode === 'with' ? '--sammy' : '--plain');
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }
}

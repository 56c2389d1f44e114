import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** One line, or one set of dots, over session time. */
interface Series {
  readonly label: string;
  readonly color: string;
  readonly dots?: boolean;
  readonly stepped?: boolean;
  /** Lengths of strokes and gaps, px. */
  readonly dash?: number[];
  /** The color below the line. */
  readonly fill?: string;
  readonly scale?: string;
  readonly unit: string;
}

export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

interface Look {
  readonly log?: boolean;
  /** The names of the series, with their values below the cursor; shown unless false. */
  readonly legend?: boolean;
  /** The values at which a horizontal line is drawn; the axis reaches as far. */
  readonly rules?: () => number[];
  /** Draws behind the lines, and before them. */
  readonly behind?: (plot: uPlot) => void;
  readonly before?: (plot: uPlot) => void;
}

function plotOptions(
  series: readonly Series[],
  { log = false, legend = true, rules = () => [], behind, before }: Look,
): uPlot.Options {
  const axis = {
    stroke: color('--faint'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const scales = [...new Set(series.map(({ scale = 'y' }) => scale))];
  return {
    width: 300,
    height: 200,
    legend: { show: legend },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: (_, __, max) => [0, Math.max(20, max)] },
      ...Object.fromEntries(
        scales.map((scale) => [
          scale,
          log
            ? { distr: 3, range: (_: uPlot, low: number, high: number) => logRange(low, high) }
            : {
                range: (_: uPlot, __: number, high: number) =>
                  [0, Math.max(high, 1, ...rules()) * 1.1] as [number, number],
              },
        ]),
      ),
    },
    axes: [
      { ...axis, values: (_, splits) => splits.map((second) => `${second} s`) },
      ...scales.map((scale, index) => ({
        ...axis,
        scale,
        ...(index === 1 && { side: 1, grid: { show: false } }),
        ...(log && { values: (_: uPlot, splits: number[]) => splits.map((value) => powerOf10(value)) }),
      })),
    ],
    series: [
      {
        label: 'time',
        value: (_, second: number | null) => (second === null ? '-' : `${second.toFixed(1)} s`),
      },
      ...series.map(
        ({ label, color: stroke, dots = false, stepped = false, scale = 'y', dash, fill, unit }) => ({
          label,
          ...(dash && { dash }),
          ...(fill !== undefined && { fill }),
          stroke,
          scale,
          spanGaps: true,
          width: dots ? 0 : 2,
          ...(stepped && uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
          ...(dots && { paths: () => null }),
          points: { show: dots, size: 7, fill: stroke },
          value: (_: uPlot, value: number | null) => (value === null ? '-' : `${value.toFixed(1)} ${unit}`),
        }),
      ),
    ],
    hooks: {
      ...(behind && { drawClear: [behind] }),
      ...(before && { draw: [before] }),
      drawAxes: [
        (plot) => {
          for (const value of rules()) drawRule(plot, value);
        },
      ],
    },
  };
}

/** A chart whose x axis is seconds since the session began, and which follows its container's size. */
export class TimeChart {
  readonly #plot: uPlot;
  readonly #x: number[] = [];
  readonly #y: (number | null)[][];
  #stale = false;

  constructor(id: string, series: Series[], look: Look = {}) {
    const container = document.getElementById(id);
    if (!container) throw new Error(`no element #${id}`);
    this.#y = series.map(() => []);
    this.#plot = new uPlot(plotOptions(series, look), [[], ...series.map(() => [])], container);
    new ResizeObserver(([entry]) => {
      if (!entry) return;
      const legend = this.#plot.root.querySelector('.u-legend')?.getBoundingClientRect().height ?? 0;
      this.#plot.setSize({
        width: entry.contentRect.width,
        height: Math.max(140, entry.contentRect.height - legend),
      });
    }).observe(container);
    const draw = () => {
      if (this.#stale) this.#plot.setData([this.#x, ...this.#y]);
      this.#stale = false;
      requestAnimationFrame(draw);
    };
    draw();
  }

  /** Adds one moment; null leaves a series as it was. Times may arrive slightly out of order. */
  add(time_s: number, values: (number | null)[]): void {
    let at = this.#x.length;
    while (at > 0 && (this.#x[at - 1] ?? 0) > time_s) at--;
    this.#x.splice(at, 0, time_s);
    this.#y.forEach((column, index) => column.splice(at, 0, values[index] ?? null));
    this.#stale = true;
  }

  clear(): void {
    this.#x.length = 0;
    for (const column of this.#y) column.length = 0;
    this.#stale = true;
  }
}

const logRange = (low: number | null, high: number | null): [number, number] => [
  10 ** Math.floor(Math.log10(Math.max(0.1, low ?? 1))),
  10 ** Math.ceil(Math.log10(Math.max(10, high ?? 10))),
];

const powerOf10 = (value: number | null): string =>
  value !== null && Number.isInteger(Math.log10(value)) ? String(value) : '';

function drawRule(plot: uPlot, value: number): void {
  const y = plot.valToPos(value, 'y', true);
  plot.ctx.save();
  plot.ctx.strokeStyle = '#465062';
  plot.ctx.setLineDash([4, 5]);
  plot.ctx.beginPath();
  plot.ctx.moveTo(plot.bbox.left, y);
  plot.ctx.lineTo(plot.bbox.left + plot.bbox.width, y);
  plot.ctx.stroke();
  plot.ctx.restore();
}

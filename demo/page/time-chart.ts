import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { ensureLanguage } from './language.ts';

// Set the language before uPlot is evaluated. This needs a call: the bundler drops modules that are imported only for
// their side effects, because the package declares that it has none.
ensureLanguage(navigator);
const { default: UPlot } = await import('uplot');

/** One line, or one set of dots, over time. */
interface Series {
  readonly label: string;
  readonly color: string;
  readonly dots?: boolean;
  /** `after`: a value holds from its own time until the next; `before`: from the previous time until its own. */
  readonly stepped?: 'after' | 'before';
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
  /** Whether to show the names of the series, with their values at the cursor; true by default. */
  readonly legend?: boolean;
  /** The values at which a horizontal line is drawn. The axis always includes them. */
  readonly rules?: () => readonly { readonly value: number; readonly color?: string }[];
  /** The times at which a vertical line is drawn. */
  readonly marks?: () => readonly number[];
  /** The upper end of the vertical axis; by default the largest value. */
  readonly top?: () => number;
  /** If set, the chart shows only the latest `window_s` seconds. */
  readonly window_s?: number;
  /** The right end of the horizontal axis; by default the latest time. */
  readonly end?: () => number;
}

const RULE = '#465062';
/** The minimum time that the horizontal axis spans. */
const SHORTEST_S = 15;

const xRange = (latest_s: number, window_s = Infinity): [number, number] => {
  const end_s = Math.max(SHORTEST_S, latest_s);
  return [Math.max(0, end_s - window_s), end_s];
};

function seriesOptions({
  label,
  color: stroke,
  dots = false,
  stepped,
  scale = 'y',
  dash,
  fill,
  unit,
}: Series): uPlot.Series {
  return {
    label,
    ...(dash && { dash }),
    ...(fill !== undefined && { fill }),
    stroke,
    scale,
    spanGaps: true,
    width: dots ? 0 : 2,
    ...(stepped &&
      UPlot.paths.stepped && { paths: UPlot.paths.stepped({ align: stepped === 'after' ? 1 : -1 }) }),
    ...(dots && { paths: () => null }),
    points: { show: dots, size: 7, fill: stroke },
    value: (_: uPlot, value: number | null) => (value === null ? '-' : `${value.toFixed(1)} ${unit}`),
  };
}

function plotOptions(series: readonly Series[], look: Look): uPlot.Options {
  const { log = false, legend = true, rules = () => [], marks = () => [], top, window_s, end } = look;
  const axis = {
    stroke: color('--faint'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const scales = [...new Set(series.map(({ scale = 'y' }) => scale))];
  const yRange = (_: uPlot, __: number, high: number): [number, number] => [
    0,
    top?.() ?? Math.max(high, 1, ...rules().map(({ value }) => value)) * 1.1,
  ];
  return {
    width: 300,
    height: 200,
    legend: { show: legend },
    padding: [8, 10, 0, 0],
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: (_, __, max) => xRange(end?.() ?? max, window_s) },
      ...Object.fromEntries(
        scales.map((scale) => [
          scale,
          log
            ? { distr: 3, range: (_: uPlot, low: number, high: number) => logRange(low, high) }
            : { range: yRange },
        ]),
      ),
    },
    axes: [
      { ...axis, size: 24, values: (_, splits) => splits.map((second) => `${second} s`) },
      ...scales.map((scale, index) => ({
        ...axis,
        scale,
        size: 36,
        ...(index === 1 && { side: 1, grid: { show: false } }),
        ...(log && { values: (_: uPlot, splits: number[]) => splits.map((value) => powerOf10(value)) }),
      })),
    ],
    series: [
      {
        label: 'time',
        value: (_, second: number | null) => (second === null ? '-' : `${second.toFixed(1)} s`),
      },
      ...series.map(seriesOptions),
    ],
    hooks: {
      drawAxes: [
        (plot) => {
          for (const second of marks()) drawVertical(plot, second);
          for (const rule of rules()) drawRule(plot, rule.value, rule.color ?? RULE);
        },
      ],
    },
  };
}

/** A chart over seconds that follows its container's size. */
export class TimeChart {
  readonly #plot: uPlot;
  readonly #x: number[] = [];
  readonly #y: (number | null)[][];
  #stale = false;

  constructor(container: HTMLElement, series: Series[], look: Look = {}) {
    this.#y = series.map(() => []);
    this.#plot = new UPlot(plotOptions(series, look), [[], ...series.map(() => [])], container);
    new ResizeObserver(([entry]) => {
      if (!entry || entry.contentRect.width === 0) return;
      const legend = this.#plot.root.querySelector('.u-legend')?.getBoundingClientRect().height ?? 0;
      this.#plot.setSize({
        width: entry.contentRect.width,
        height: Math.max(80, entry.contentRect.height - legend),
      });
    }).observe(container);
    const draw = () => {
      // A chart in a closed section has no size and cannot be drawn.
      if (this.#stale && container.clientWidth > 0) {
        this.#plot.setData([this.#x, ...this.#y]);
        this.#stale = false;
      }
      requestAnimationFrame(draw);
    };
    draw();
  }

  /**
   * Adds the values of all series at one time; null adds no value to a series. Times may arrive slightly out of order.
   */
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

const drawRule = (plot: uPlot, value: number, stroke: string): void => {
  const y = plot.valToPos(value, 'y', true);
  drawLine(plot, stroke, [plot.bbox.left, y], [plot.bbox.left + plot.bbox.width, y]);
};

const drawVertical = (plot: uPlot, second: number): void => {
  const x = plot.valToPos(second, 'x', true);
  if (x > plot.bbox.left) drawLine(plot, RULE, [x, plot.bbox.top], [x, plot.bbox.top + plot.bbox.height]);
};

function drawLine({ ctx }: uPlot, stroke: string, from: [number, number], to: [number, number]): void {
  // uPlot caches the context's settings, so restore them after drawing.
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.setLineDash([4, 5]);
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
  ctx.restore();
}

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { CompletedDecision } from '../../src/index.ts';

/** One line, or one set of dots, over session time. */
interface Series {
  readonly label: string;
  readonly color: string;
  readonly dots?: boolean;
  readonly stepped?: boolean;
  /** Lengths of strokes and gaps, px. */
  readonly dash?: number[];
  readonly scale?: string;
  readonly unit: string;
}

const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** `rules` gives the values at which a horizontal line is drawn; the axis reaches as far. */
function plotOptions(series: readonly Series[], log: boolean, rules: () => number[]): uPlot.Options {
  const axis = {
    stroke: color('--faint'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const scales = [...new Set(series.map(({ scale = 'y' }) => scale))];
  return {
    width: 300,
    height: 200,
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
      ...series.map(({ label, color: stroke, dots = false, stepped = false, scale = 'y', dash, unit }) => ({
        label,
        ...(dash && { dash }),
        stroke,
        scale,
        spanGaps: true,
        width: dots ? 0 : 2,
        ...(stepped && uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
        ...(dots && { paths: () => null }),
        points: { show: dots, size: 7, fill: stroke },
        value: (_: uPlot, value: number | null) => (value === null ? '-' : `${value.toFixed(1)} ${unit}`),
      })),
    ],
    hooks: {
      drawAxes: [
        (plot) => {
          for (const value of rules()) drawRule(plot, value);
        },
      ],
    },
  };
}

/** A chart whose x axis is seconds since the session began, and which follows its container's size. */
class TimeChart {
  readonly #plot: uPlot;
  readonly #x: number[] = [];
  readonly #y: (number | null)[][];
  #stale = false;

  constructor(id: string, series: Series[], { log = false, rules = () => [] as number[] } = {}) {
    const container = document.getElementById(id);
    if (!container) throw new Error(`no element #${id}`);
    this.#y = series.map(() => []);
    this.#plot = new uPlot(plotOptions(series, log, rules), [[], ...series.map(() => [])], container);
    new ResizeObserver(([entry]) => {
      if (!entry) return;
      const legend = this.#plot.root.querySelector('.u-legend')?.getBoundingClientRect().height ?? 30;
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

/** The four charts of the page. */
export class Charts {
  #ladder_mbps: number[] = [];
  #retransmitted = new Map<string, { first: number; last: number }>();

  readonly #throughput = new TimeChart(
    'throughput',
    [
      { label: 'throughput', color: color('--blue'), dots: true, unit: 'Mbit/s' },
      { label: 'pace applied', color: color('--sammy'), stepped: true, unit: 'Mbit/s' },
      { label: 'pace asked', color: color('--asked'), stepped: true, dash: [5, 5], unit: 'Mbit/s' },
    ],
    { log: true },
  );
  readonly #bitrate = new TimeChart(
    'bitrate',
    [{ label: 'bitrate', color: color('--sammy'), stepped: true, unit: 'Mbit/s' }],
    { rules: () => this.#ladder_mbps },
  );
  readonly #buffer = new TimeChart('buffer', [
    { label: 'video', color: color('--sammy'), unit: 's' },
    { label: 'audio', color: color('--blue'), unit: 's' },
  ]);
  readonly #network = new TimeChart('network', [
    { label: 'RTT', color: color('--blue'), unit: 'ms' },
    { label: 'retransmitted', color: color('--plain'), scale: 'kB', stepped: true, unit: 'kB' },
  ]);

  setLadder(bitrates_kbps: number[]): void {
    this.#ladder_mbps = bitrates_kbps.map((bitrate) => bitrate / 1000);
  }

  addBuffer(time_s: number, video_s: number | null, audio_s: number | null): void {
    this.#buffer.add(time_s, [video_s, audio_s]);
  }

  addDecision(decision: CompletedDecision): void {
    const { connection, retransmitted_bytes, rtt_ms } = decision;
    const end_s = (decision.at_ms + decision.download_ms) / 1000;
    if (connection !== undefined && retransmitted_bytes !== undefined) {
      const counter = this.#retransmitted.get(connection) ?? { first: retransmitted_bytes, last: 0 };
      this.#retransmitted.set(connection, { ...counter, last: retransmitted_bytes });
    }
    const lost = [...this.#retransmitted.values()].reduce((sum, { first, last }) => sum + last - first, 0);
    this.#network.add(end_s, [rtt_ms ?? null, lost / 1000]);
    if (decision.media_type !== 'video') return;
    const mbps = (rate: number | null | undefined) =>
      rate === null || rate === undefined ? null : rate / 1000;
    this.#throughput.add(end_s, [
      mbps(decision.achieved_kbps),
      mbps(decision.applied_kbps),
      mbps(decision.requested_kbps),
    ]);
    this.#bitrate.add(decision.at_ms / 1000, [decision.bitrate_kbps / 1000]);
  }

  clear(): void {
    this.#retransmitted.clear();
    for (const chart of [this.#throughput, this.#bitrate, this.#buffer, this.#network]) chart.clear();
  }
}

import type { Arm } from '../../arms.ts';
import type { BottleneckFacts } from '../../facts.ts';
import type { NeighborRow, QueueRow, TrafficRow } from '../../measures/measures.ts';
import { element } from '../elements.ts';
import { color, TimeChart } from '../time-chart.ts';
import type { ActiveTime } from './active-time.ts';

const WINDOW_S = 30;
/**
 * The limit for the upper end of the throughput axes without a bottleneck. Loopback has no line rate, so without this
 * limit the first spikes would flatten the rest of the chart.
 */
const HIGHEST_TOP_MBPS = 100;
const LOWEST_TOP_MBPS = 20;

/** The axes that both arms share, so that their charts can be compared by eye. */
export class SharedAxes {
  #most_mbps = 0;
  #most_s = 1;
  #latest_s = 0;

  constructor(readonly bottleneck: BottleneckFacts | null) {}

  seeTraffic(time_s: number, mbps: number): void {
    this.#most_mbps = Math.max(this.#most_mbps, mbps);
    this.#latest_s = Math.max(this.#latest_s, time_s);
  }

  seeResponse(seconds: number): void {
    this.#most_s = Math.max(this.#most_s, seconds);
  }

  readonly traffic = (): number =>
    (this.bottleneck?.mbps ?? Math.min(HIGHEST_TOP_MBPS, Math.max(LOWEST_TOP_MBPS, this.#most_mbps))) * 1.1;
  readonly queue = (): number => (this.bottleneck?.full_ms ?? 1) * 1.15;
  readonly response = (): number => this.#most_s * 1.1;
  readonly end = (): number => this.#latest_s;
}

const STROKES: Record<Arm, string> = { stock: '--stock', sammy: '--sammy' };

/** Charts of an arm's effect on the network, over the time of its turns. */
export class ArmCharts {
  readonly #axes: SharedAxes;
  readonly #clock: ActiveTime;
  readonly #traffic: TimeChart;
  readonly #queue: TimeChart | null = null;
  readonly #neighbor: TimeChart | null = null;
  #median_s: number | null = null;

  constructor(arm: Arm, view: HTMLElement, clock: ActiveTime, axes: SharedAxes) {
    this.#axes = axes;
    this.#clock = clock;
    const stroke = color(STROKES[arm]);
    const look = { legend: false, window_s: WINDOW_S, end: axes.end, marks: () => clock.starts_s };
    const area = { color: stroke, fill: `${stroke}55` };
    this.#traffic = new TimeChart(
      element('.traffic', HTMLElement, view),
      [{ ...area, label: 'traffic', stepped: 'before', unit: 'Mbit/s' }],
      { ...look, top: axes.traffic },
    );
    if (!axes.bottleneck) return;
    const { full_ms } = axes.bottleneck;
    this.#queue = new TimeChart(
      element('.queue', HTMLElement, view),
      [{ ...area, label: 'longest wait', unit: 'ms' }],
      { ...look, top: axes.queue, rules: () => [{ value: full_ms }] },
    );
    this.#neighbor = new TimeChart(
      element('.neighbor', HTMLElement, view),
      [{ color: stroke, label: 'response time', dots: true, unit: 's' }],
      {
        ...look,
        top: axes.response,
        rules: () => (this.#median_s === null ? [] : [{ value: this.#median_s, color: stroke }]),
      },
    );
  }

  /** Adds the arm's bytes between two moments of the page's clock. */
  addTraffic(bytes: number, { from_ms, to_ms }: Pick<TrafficRow, 'from_ms' | 'to_ms'>): void {
    const mbps = (bytes * 8) / 1000 / (to_ms - from_ms);
    const time_s = this.#clock.at(to_ms);
    if (time_s === null) return;
    this.#axes.seeTraffic(time_s, mbps);
    this.#traffic.add(time_s, [mbps]);
  }

  addQueue({ at_ms, wait_ms }: QueueRow): void {
    const time_s = this.#clock.at(at_ms);
    if (time_s !== null) this.#queue?.add(time_s, [wait_ms]);
  }

  addResponse({ from_ms, to_ms }: NeighborRow): void {
    const time_s = this.#clock.at(to_ms);
    if (time_s === null) return;
    this.#axes.seeResponse((to_ms - from_ms) / 1000);
    this.#neighbor?.add(time_s, [(to_ms - from_ms) / 1000]);
  }

  setMedian(response_ms: number | null): void {
    this.#median_s = response_ms === null ? null : response_ms / 1000;
  }
}

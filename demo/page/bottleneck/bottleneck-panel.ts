import type { Measures } from '../../bottleneck/measures.ts';
import type { BottleneckFacts } from '../../facts.ts';
import { BottleneckCharts } from './bottleneck-charts.ts';
import { Comparison, type Figures, type Mode } from './comparison.ts';

const POLL_EVERY_MS = 250;

/** The player, as far as the panel looks at it. */
interface Watching {
  readonly mode: () => Mode;
  /** Whether it downloads all the time: its buffer is not full yet. */
  readonly isFilling: () => boolean;
}

const MODES: readonly Mode[] = ['without', 'with'];

/** Of a figure that is better when it is less. */
const TILES: readonly {
  readonly id: string;
  readonly of: (figures: Figures) => number | null;
  readonly text: (value: number) => string;
}[] = [
  { id: 'response', of: ({ response_ms }) => response_ms, text: (ms) => `${(ms / 1000).toFixed(2)} s` },
  { id: 'wait', of: ({ queue_p95_ms }) => queue_p95_ms, text: (ms) => `${ms.toFixed(1)} ms` },
  { id: 'dropped', of: ({ dropped_pct }) => dropped_pct, text: (pct) => `${pct.toFixed(2)} %` },
];

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
};

/** Shows what the switch and the neighbor measure, with Sammy and without. */
export class BottleneckPanel {
  readonly #charts: BottleneckCharts;
  readonly #comparison = new Comparison();
  readonly #watching: Watching;
  #next: number | undefined;
  /** What the server's clock is ahead of the page's, ms: the most that an answer said, which was the fastest one. */
  #ahead_ms = -Infinity;
  #startedAt_ms = 0;
  #mode: Mode | undefined;

  constructor({ mbps, rtt_ms, queue_bytes, full_ms, response_bytes }: BottleneckFacts, watching: Watching) {
    this.#watching = watching;
    document.body.classList.add('behind');
    element('bottleneck').hidden = element('appetite').hidden = false;
    element('link').textContent =
      `${mbps} Mbit/s, ${rtt_ms} ms, a queue of ${Math.round(queue_bytes / 1000)} kB (${Math.round(full_ms)} ms); ` +
      `a neighbor fetches ${response_bytes / 1e6} MB again and again`;
    this.#charts = new BottleneckCharts(full_ms);
    element('appetite').addEventListener('input', () => this.#comparison.clear());
    setInterval(() => void this.#poll(), POLL_EVERY_MS);
  }

  /** A session begins. */
  restart(): void {
    this.#startedAt_ms = performance.now();
    this.#mode = undefined;
    this.#charts.clear();
    this.#comparison.enter(null, this.#now_ms());
  }

  #now_ms = (): number => performance.now() + this.#ahead_ms;

  async #poll(): Promise<void> {
    const query = new URLSearchParams({
      neighbor: document.querySelector<HTMLInputElement>('input[name=appetite]:checked')?.value ?? 'modest',
      ...(this.#next !== undefined && { since: String(this.#next) }),
    });
    // A server that is away is noticed by the player.
    const answer = await fetch(`/bottleneck.json?${query}`).catch(() => undefined);
    if (!answer?.ok) return;
    const measures = (await answer.json()) as Measures;
    // Two answers may have crossed.
    if (this.#next !== undefined && measures.next < this.#next) return;
    this.#next = measures.next;
    this.#ahead_ms = Math.max(this.#ahead_ms, measures.now_ms - performance.now());
    this.#add(measures);
  }

  #add({ queue, responses }: Measures): void {
    const mode = this.#watching.mode();
    if (mode !== this.#mode) this.#charts.enter(mode, (performance.now() - this.#startedAt_ms) / 1000);
    this.#mode = mode;
    this.#comparison.enter(this.#watching.isFilling() ? mode : null, this.#now_ms());
    const time_s = (at_ms: number) => (at_ms - this.#ahead_ms - this.#startedAt_ms) / 1000;
    for (const row of queue) {
      this.#comparison.addQueue(row);
      if (time_s(row.at_ms) >= 0) this.#charts.addQueue(time_s(row.at_ms), row);
    }
    for (const row of responses) {
      const of = this.#comparison.addResponse(row);
      if (time_s(row.to_ms) >= 0) this.#charts.addResponse(time_s(row.to_ms), row, of);
    }
    this.#show();
  }

  #show(): void {
    const figures = {
      with: this.#comparison.figures('with'),
      without: this.#comparison.figures('without'),
    };
    this.#charts.setMedians({ with: figures.with.response_ms, without: figures.without.response_ms });
    for (const mode of MODES) element(`response-${mode}`).dataset.responses = String(figures[mode].responses);
    for (const { id, of, text } of TILES) {
      for (const mode of MODES) {
        const value = of(figures[mode]);
        element(`${id}-${mode}`).textContent = value === null ? '-' : text(value);
      }
      const [now, before] = [of(figures.with), of(figures.without)];
      const change =
        now === null || before === null || before === 0 ? null : Math.round((now / before - 1) * 100);
      element(`${id}-change`).textContent = change === null ? '' : `${change > 0 ? '+' : ''}${change} %`;
    }
  }
}

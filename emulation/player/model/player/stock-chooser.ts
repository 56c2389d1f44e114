import type { Ladder, Rung } from '../../../../src/film/ladder.ts';
import type { MediaState } from '../../../../src/session/state.ts';
import type { StockSegment } from '../stock/bola.ts';
import { StockRules, type StockOptions, type StockProgress } from '../stock/stock-rules.ts';
import type { Chooser, InFlight } from './chooser.ts';

/** Chooses by dash.js's own rules. */
export class StockChooser implements Chooser {
  readonly first: Rung;
  readonly #ladder: Ladder;
  readonly #rules: StockRules;
  readonly #fastSwitch: boolean;

  constructor(options: StockOptions, fastSwitch: boolean) {
    this.#ladder = options.ladder;
    this.#rules = new StockRules(options);
    this.#fastSwitch = fastSwitch;
    this.first = this.#rung(this.#rules.first);
  }

  choose(
    { buffer }: MediaState,
    current: Rung,
    now_ms: number,
    duration_s: number,
  ): { rung: Rung; delay_ms: number } {
    const { rung, delay_ms } = this.#rules.choose(this.#index(current), now_ms, buffer, duration_s);
    return { rung: this.#rung(rung), delay_ms };
  }

  replacesBuffer(): boolean {
    return this.#fastSwitch;
  }

  earliestAbandonment_ms(_state: MediaState, download: InFlight): number {
    return this.#rules.earliestAbandonment_ms(toProgress(download));
  }

  abandon({ buffer }: MediaState, current: Rung, now_ms: number, download: InFlight): Rung | undefined {
    const lower = this.#rules.abandon(this.#index(current), now_ms, buffer, toProgress(download));
    return lower === undefined ? undefined : this.#rung(lower);
  }

  recordDownload(
    segment: Omit<StockSegment, 'rung'>,
    rung: Rung,
    bytes: number,
    receiving_ms: number,
    buffer_s: number,
  ): void {
    this.#rules.recordDownload({ ...segment, rung: this.#index(rung) }, bytes, receiving_ms, buffer_s);
  }

  recordAbort(requested_ms: number, now_ms: number, download: InFlight): void {
    this.#rules.recordAbort(requested_ms, now_ms, toProgress(download));
  }

  recordBuffer(buffer_s: number): void {
    this.#rules.recordBuffer(buffer_s);
  }

  recordSeek(): void {
    this.#rules.recordSeek();
  }

  #index(rung: Rung): number {
    return this.#ladder.findIndex(({ id }) => id === rung.id);
  }

  #rung(index: number): Rung {
    return this.#ladder[index] ?? this.#ladder[0];
  }
}

const toProgress = ({
  loaded_bytes: loaded,
  total_bytes: total,
  elapsed_ms,
  first_bytes,
  duration_s,
}: InFlight): StockProgress => ({ elapsed_ms, bytes: loaded - first_bytes, loaded, total, duration_s });

import { ln } from '../../../ground/statistics/portable-math.ts';
import type { Ladder } from '../../../../src/film/ladder.ts';

/** The buffer level below which dash.js's BOLA adds no delay: `MINIMUM_BUFFER_S`. */
const LEAST_BUFFER_S = 10;
/** BOLA's target is at least `LEAST_BUFFER_S` plus this for each rung: `MINIMUM_BUFFER_PER_BITRATE_LEVEL_S`. */
const PER_RUNG_S = 2;
/** The factor by which each segment shrinks the placeholder buffer. */
const DECAY = 0.99;

/** A segment that has arrived. */
export interface StockSegment {
  readonly rung: number;
  readonly start_s: number;
  readonly duration_s: number;
  readonly requested_ms: number;
  readonly finished_ms: number;
}

export interface BolaChoice {
  readonly rung: number;
  /** The time to wait before requesting the segment. */
  readonly delay_ms: number;
}

/**
 * BOLA (Spiteri, Urgaonkar, Sitaraman 2016) as in dash.js 5.2, with a placeholder buffer (BOLA-E) and without switches
 * above the rung that the throughput sustains (BOLA-O). Rungs are indices of the ladder.
 */
export class StockBola {
  readonly #bitrates: readonly number[];
  readonly #utilities: readonly number[];
  readonly #v: number;
  readonly #g: number;
  /** Whether `choose` has been called; segments that arrived before are ignored. */
  #asked = false;
  #steady = false;
  #placeholder_s = 0;
  #furthest_s = -Infinity;
  #lastDuration_s = NaN;
  #finished_ms = NaN;
  #called_ms = NaN;
  #current = 0;

  constructor(ladder: Ladder, bufferTarget_s: number) {
    this.#bitrates = ladder.map(({ bitrate_kbps }) => bitrate_kbps);
    const logs = this.#bitrates.map(ln);
    this.#utilities = logs.map((log) => log - (logs[0] ?? 0) + 1);
    const target_s = Math.max(bufferTarget_s, LEAST_BUFFER_S + PER_RUNG_S * ladder.length);
    this.#g = ((this.#utilities.at(-1) ?? 0) - 1) / (target_s / LEAST_BUFFER_S - 1);
    this.#v = LEAST_BUFFER_S / this.#g;
  }

  /**
   * Chooses the rung of the next segment; undefined until a throughput is known. `rungFor` returns the highest rung of
   * at most this many kbit/s.
   */
  choose(
    now_ms: number,
    buffer_s: number,
    safe_kbps: number,
    rungFor: (kbps: number) => number,
  ): BolaChoice | undefined {
    this.#asked = true;
    if (this.#steady) return this.#chooseSteadily(now_ms, buffer_s, rungFor(safe_kbps));
    if (Number.isNaN(safe_kbps)) return undefined;
    const rung = rungFor(safe_kbps);
    this.#placeholder_s = Math.max(0, this.#leastBufferFor(rung) - buffer_s);
    this.#current = rung;
    if (buffer_s >= this.#lastDuration_s) this.#steady = true;
    return { rung, delay_ms: 0 };
  }

  #chooseSteadily(now_ms: number, buffer_s: number, sustained: number): BolaChoice {
    // The placeholder grows while nothing is downloaded, because such a pause does not mean that the network is slow.
    const since_ms = Number.isNaN(this.#finished_ms) ? this.#called_ms : this.#finished_ms;
    if (!Number.isNaN(since_ms)) this.#placeholder_s += Math.max(0, now_ms - since_ms) / 1000;
    this.#called_ms = now_ms;
    this.#finished_ms = NaN;

    let rung = this.#best(buffer_s + this.#placeholder_s);
    if (rung > this.#current && rung > sustained) rung = Math.max(sustained, this.#current);
    let delay_s = Math.max(0, buffer_s + this.#placeholder_s - this.#mostBufferFor(rung));
    const fromPlaceholder = Math.min(delay_s, this.#placeholder_s);
    this.#placeholder_s -= fromPlaceholder;
    delay_s -= fromPlaceholder;
    this.#current = rung;
    // At the top rung there is no delay, because the scheduler limits the buffer.
    return { rung, delay_ms: rung === this.#bitrates.length - 1 ? 0 : 1000 * delay_s };
  }

  /** Records a segment that has arrived and is not in the buffer yet. */
  recordDownload(segment: StockSegment, buffer_s: number): void {
    if (!this.#asked) return;
    const replaced = segment.start_s <= this.#furthest_s;
    this.#furthest_s = Math.max(this.#furthest_s, segment.start_s);
    this.#current = segment.rung;
    this.#lastDuration_s = segment.duration_s;
    this.#finished_ms = segment.finished_ms;
    const atRequest_s = buffer_s + (segment.finished_ms - segment.requested_ms) / 1000;
    const most_s = Math.max(0, this.#mostBufferFor(segment.rung) - atRequest_s);
    this.#placeholder_s = Math.min(most_s, this.#placeholder_s * DECAY);
    if (replaced) this.#placeholder_s += segment.duration_s;
  }

  /** Records the rung that BOLA and the other rules together have chosen. */
  recordChoice(rung: number): void {
    this.#current = rung;
  }

  recordAbandonment(buffer_s: number): void {
    const wanted_s = this.#current > 0 ? this.#leastBufferFor(this.#current) : LEAST_BUFFER_S;
    this.#placeholder_s = Math.min(this.#placeholder_s, Math.max(0, wanted_s - buffer_s));
  }

  recordStall(): void {
    if (this.#steady) this.#placeholder_s = 0;
  }

  recordSeek(): void {
    this.#steady = false;
    this.#placeholder_s = 0;
    this.#furthest_s = -Infinity;
    this.#lastDuration_s = NaN;
    this.#finished_ms = NaN;
  }

  /** The rung with the highest score; of equal scores, the higher rung. */
  #best(buffer_s: number): number {
    let [best, most] = [0, -Infinity];
    this.#bitrates.forEach((bitrate, rung) => {
      const score = (this.#v * ((this.#utilities[rung] ?? 0) - 1 + this.#g) - buffer_s) / bitrate;
      if (score >= most) [best, most] = [rung, score];
    });
    return best;
  }

  /** The buffer level above which waiting has a better score than this rung. */
  #mostBufferFor(rung: number): number {
    return this.#v * ((this.#utilities[rung] ?? 0) + this.#g);
  }

  /** The buffer level above which the rung has a better score than all lower rungs. */
  #leastBufferFor(rung: number): number {
    const [bitrate, utility] = [this.#bitrates[rung] ?? 0, this.#utilities[rung] ?? 0];
    return Math.max(
      0,
      ...this.#bitrates.slice(0, rung).map((lower, index) => {
        const crossing = (bitrate * (this.#utilities[index] ?? 0) - lower * utility) / (bitrate - lower);
        return this.#v * (this.#g + crossing);
      }),
    );
  }
}

import { StockBola, type StockSegment } from './bola.ts';
import { StockThroughput } from './throughput.ts';
import { SwitchHistory } from './switch-history.ts';
import type { Ladder } from '../../../../src/film/ladder.ts';

/**
 * `hybridSwitchBufferTime`: BOLA decides above this buffer level, and the throughput rule again below half of this
 * level.
 */
const BOLA_FROM_S = 12;
/** `stallThreshold`: a buffer of at most this counts as empty. */
const EMPTY_S = 0.3;
/** dash.js's `insufficientBufferRule` ignores this many first segments. */
const IGNORED_SEGMENTS = 2;
/** The safety factor of `insufficientBufferRule`. */
const INSUFFICIENT_SAFETY = 0.7;
/** dash.js's `abandonRequestsRule` abandons no download before this time since the first byte. */
const ABANDON_FROM_MS = 500;
/** `abandonRequestsRule` abandons a download if its expected total time exceeds this many segment durations. */
const ABANDON_DURATIONS = 1.8;
/** `abandonRequestsRule` rounds its estimate of the total time to hundredths of a second. */
const ESTIMATE_DIGITS = 2;
const ESTIMATE_ROUNDING_S = 0.5 / 10 ** ESTIMATE_DIGITS;
/** `cacheLoadThresholds`: a download that takes less time, by the player's own clock, counts as cached. */
const CACHED_BELOW_MS = 10;
/** `abandonLoadTimeout`: for this long after an abandonment, no higher rung is chosen. */
const NO_HIGHER_MS = 10_000;
/** The bitrate at the start of the first session, kbit/s. */
const FIRST_KBPS = 1000;

export interface StockOptions {
  readonly ladder: Ladder;
  readonly bufferTarget_s: number;
  /** Whether DYNAMIC uses BOLA; otherwise the throughput rule always decides. */
  readonly bola: boolean;
  /** The throughput of an earlier session, kbit/s (`lastBitrateCachingInfo`). */
  readonly remembered_kbps: number | undefined;
}

/** The progress of a download since its first byte. */
export interface StockProgress {
  readonly elapsed_ms: number;
  /** `loaded` without the bytes that arrived together with the first byte. */
  readonly bytes: number;
  readonly loaded: number;
  readonly total: number;
  readonly duration_s: number;
}

/**
 * The rules of dash.js 5.2 for video with default settings: DYNAMIC, insufficient buffer, switch history, abandonment.
 */
export class StockRules {
  readonly #options: StockOptions;
  readonly #bitrates: readonly number[];
  readonly #throughput = new StockThroughput();
  readonly #bola: StockBola;
  readonly #history: SwitchHistory;
  #usesBola = false;
  #ignored = IGNORED_SEGMENTS;
  #noHigherUntil_ms = -Infinity;

  constructor(options: StockOptions) {
    this.#options = options;
    this.#bitrates = options.ladder.map(({ bitrate_kbps }) => bitrate_kbps);
    this.#bola = new StockBola(options.ladder, options.bufferTarget_s);
    this.#history = new SwitchHistory(options.ladder.length);
  }

  /** The rung at the start of the session. */
  get first(): number {
    return this.#rungFor(this.#options.remembered_kbps ?? FIRST_KBPS);
  }

  /** Chooses the rung for the next segment, and how long to wait before requesting the segment. */
  choose(
    current: number,
    now_ms: number,
    buffer_s: number,
    duration_s: number,
  ): { rung: number; delay_ms: number } {
    this.recordBuffer(buffer_s);
    const wishes: number[] = [];
    let delay_ms = 0;
    const { average, safe } = this.#throughput;
    const empty = buffer_s <= EMPTY_S;
    if (this.#usesBola) {
      const choice = this.#bola.choose(now_ms, buffer_s, safe, this.#rungFor);
      if (choice) wishes.push(choice.rung);
      delay_ms = choice?.delay_ms ?? 0;
    } else if (!empty && !Number.isNaN(safe) && now_ms >= this.#noHigherUntil_ms)
      wishes.push(this.#rungFor(safe));
    if (this.#ignored <= 0) {
      const carried = (average * INSUFFICIENT_SAFETY * buffer_s) / duration_s;
      if (empty) wishes.push(0);
      else if (carried > 0) wishes.push(this.#rungFor(carried));
    }
    const tried = this.#history.most;
    if (tried !== undefined) wishes.push(tried);
    if (wishes.length === 0) return { rung: current, delay_ms: 0 };
    const rung = Math.min(...wishes);
    this.#history.add(current, rung);
    if (rung === current || (rung > current && now_ms < this.#noHigherUntil_ms))
      return { rung: current, delay_ms };
    this.#bola.recordChoice(rung);
    return { rung, delay_ms };
  }

  /** Returns the rung to restart the segment with; undefined to continue the download. */
  abandon(current: number, now_ms: number, buffer_s: number, progress: StockProgress): number | undefined {
    const { elapsed_ms, bytes, loaded, total, duration_s } = progress;
    if (buffer_s > this.#options.bufferTarget_s || elapsed_ms <= ABANDON_FROM_MS || current === 0)
      return undefined;
    const measured_kbps = Math.round((8 * bytes) / Math.max(1, elapsed_ms));
    const estimate_s = Number(((total * 8) / measured_kbps / 1000).toFixed(ESTIMATE_DIGITS));
    if (estimate_s < duration_s * ABANDON_DURATIONS) return undefined;
    const lower = this.#rungFor(measured_kbps);
    const anew = (total * (this.#bitrates[lower] ?? 0)) / (this.#bitrates[current] ?? 0);
    if (total - loaded <= anew) return undefined;
    this.#noHigherUntil_ms = now_ms + NO_HIGHER_MS;
    this.#history.reset();
    this.#bola.recordChoice(lower);
    this.#bola.recordAbandonment(buffer_s);
    return lower;
  }

  /** Records an aborted download, which is also a sample of the throughput. */
  recordAbort(requested_ms: number, now_ms: number, { bytes, elapsed_ms }: StockProgress): void {
    if (bytes > 0 && now_ms - requested_ms >= CACHED_BELOW_MS)
      this.#throughput.add(bytes, Math.max(1, elapsed_ms));
  }

  /** Milliseconds until a download with this progress could first be abandoned, whatever arrives until then. */
  earliestAbandonment_ms({ elapsed_ms, bytes, total, duration_s }: StockProgress): number {
    // The rate is rounded to whole kbit/s, so its error is at most 0.5 kbit/s.
    const longest_s = ABANDON_DURATIONS * duration_s - ESTIMATE_ROUNDING_S;
    const rate_kbps = (8 * total) / (1000 * longest_s) + 0.5;
    return Math.max(ABANDON_FROM_MS, (8 * bytes) / rate_kbps) - elapsed_ms;
  }

  /** Records a segment that has arrived and is not in the buffer yet. */
  recordDownload(segment: StockSegment, bytes: number, receiving_ms: number, buffer_s: number): void {
    // The buffer is at its lowest level just before a segment is appended.
    this.recordBuffer(buffer_s);
    if (buffer_s <= EMPTY_S) this.#bola.recordStall();
    this.#throughput.add(bytes, receiving_ms);
    this.#bola.recordDownload(segment, buffer_s);
    this.#ignored -= 1;
  }

  /** Switches DYNAMIC between BOLA and the throughput rule; called at each maximum and minimum of the buffer level. */
  recordBuffer(buffer_s: number): void {
    const from_s = this.#usesBola ? BOLA_FROM_S / 2 : BOLA_FROM_S;
    this.#usesBola = this.#options.bola && buffer_s >= from_s;
  }

  recordSeek(): void {
    this.#bola.recordSeek();
    this.#ignored = IGNORED_SEGMENTS;
  }

  /** The highest rung of at most this many kbit/s, or the lowest rung if there is none. */
  readonly #rungFor = (kbps: number): number =>
    Math.max(
      0,
      this.#bitrates.findLastIndex((bitrate) => bitrate <= kbps),
    );
}

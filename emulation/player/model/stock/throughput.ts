import { power } from '../../../ground/statistics/portable-math.ts';

/** The half-lives of dash.js 5.2's two exponentially weighted averages, fast and slow, in seconds of downloading. */
const HALF_LIVES_S = [3, 8] as const;
/** The weight per millisecond of downloading: a second counts as 1.5 s (`weightDownloadTimeMultiplicationFactor`). */
const WEIGHT_PER_MS = 0.0015;
/** dash.js's `bandwidthSafetyFactor`. */
const SAFETY = 0.9;

/** dash.js's estimate of one media type's throughput (`averageCalculationMode` EWMA). */
export class StockThroughput {
  readonly #estimates: number[] = HALF_LIVES_S.map(() => 0);
  #weight = 0;

  /**
   * Adds a download. `receiving_ms` is the time from the first byte to the last, as in Resource Timing
   * (`useDeadTimeLatency`).
   */
  add(bytes: number, receiving_ms: number): void {
    const throughput = Math.round((8 * bytes) / receiving_ms);
    if (!Number.isFinite(throughput)) return;
    const weight = WEIGHT_PER_MS * receiving_ms;
    HALF_LIVES_S.forEach((halfLife, index) => {
      const kept = power(0.5, weight / halfLife);
      this.#estimates[index] = (1 - kept) * throughput + kept * (this.#estimates[index] ?? 0);
    });
    this.#weight += weight;
  }

  /** The lower one of the two averages, kbit/s; NaN before the first download. */
  get average(): number {
    if (this.#weight <= 0) return NaN;
    // Corrects the bias of averages that start at zero.
    const values = HALF_LIVES_S.map(
      (halfLife, index) => (this.#estimates[index] ?? 0) / (1 - power(0.5, this.#weight / halfLife)),
    );
    return Math.round(Math.min(...values));
  }

  get safe(): number {
    return this.average * SAFETY;
  }
}

import {
  kbps,
  milliseconds,
  averageRate,
  seconds,
  transferTime,
  type Bytes,
  type Kbps,
  type Milliseconds,
  type Seconds,
} from '../units.ts';

/** A download as measured by the player. */
export interface ThroughputSample {
  readonly size: Bytes;
  /** Time from sending the request to the last byte: x_t = s_t / Δ_t (Sammy Appendix A). */
  readonly duration: Seconds;
  /** The pace that the server applied; null or undefined for none. */
  readonly pace?: Kbps | null | undefined;
  /** The bitrate of the encoder, if the segment was sent while it was encoded (low-latency live). */
  readonly encoded?: Kbps | undefined;
  /**
   * The connection's minimum round-trip time, if the receipt has it. The first byte arrives one round trip after the
   * request. The minimum is used because the delay of a queue that the download fills is a limit of the network.
   */
  readonly rtt?: Milliseconds | undefined;
  /** Time at which the download ended. */
  readonly at: Milliseconds;
}

/**
 * A sample at or above this share of the pace (or of the encoder's bitrate) counts as limited by the pace (or the
 * encoder), not by the network. The share is below 1 because of the server's response time, and because packet headers
 * count against a socket's pace.
 */
const PACE_LIMITED_FROM = 0.8;

/** Half-lives in seconds of download time, equal to those of dash.js's EWMA (5.2, `throughput.ewma`). */
const FAST_HALF_LIFE_S = 3;
const SLOW_HALF_LIFE_S = 8;

/**
 * The half-life, in seconds of wall time, of the estimate's decay toward lower bounds. A lower bound does not
 * contradict a higher estimate, but the estimate becomes outdated.
 */
const FORGETTING_HALF_LIFE_S = 30;

/** Network-limited samples are kept for this time, ms, because the network may become that slow again. */
const REMEMBERED_MS = 60_000;
const SEEDED_S = 0.5;
/**
 * The number of consecutive doubtful downloads (`addDoubtful`) after which a higher rung is tried. The buffer then holds
 * their segments.
 */
const SEVERAL = 3;
/** A shorter download, s, depends on the server and the browser as much as on the network. */
const TELLING_S = 0.5;

export const sampleThroughput = (sample: ThroughputSample): Kbps => averageRate(sample.size, sample.duration);

/** Whether the pace limited the download. The sample is then a lower bound of the network's throughput. */
export const isPaceLimited = (sample: Omit<ThroughputSample, 'at'>): boolean =>
  isLimitedBy(sample.pace, sample);

/** Whether the encoder limited the download (low-latency live). The sample is then a lower bound, too. */
export const isEncoderLimited = (sample: ThroughputSample): boolean => isLimitedBy(sample.encoded, sample);

export const isLowerBound = (sample: ThroughputSample): boolean =>
  isPaceLimited(sample) || isEncoderLimited(sample);

/**
 * Returns the sample without the waits for the encoder. Segments of low-latency live are sent while they are encoded,
 * but each chunk arrives at the network's speed. If the encoder limited the segment, the time in which bytes arrived
 * (`receiving`) shows the network's throughput. If the network limited the segment, the whole download time is more
 * exact, because the player measures `receiving` between a few reads of each chunk.
 */
export function withoutWaits(sample: ThroughputSample, receiving: Milliseconds): ThroughputSample {
  const duration = seconds(receiving / 1000);
  const waited = receiving > 0 && duration < PACE_LIMITED_FROM * sample.duration;
  return waited && isEncoderLimited(sample) ? { ...sample, duration, encoded: undefined } : sample;
}

function isLimitedBy(
  rate: Kbps | null | undefined,
  { size, duration, rtt }: Omit<ThroughputSample, 'at'>,
): boolean {
  if (!rate) return false;
  const atRate_s = transferTime(size, rate) + (rtt ?? 0) / 1000;
  return duration * PACE_LIMITED_FROM <= atRate_s;
}

const isRecent = (now: Milliseconds) => (sample: ThroughputSample) => now - sample.at <= REMEMBERED_MS;

/** An exponentially weighted average over download time. */
class Average {
  value = 0;
  #weight = 0;
  readonly #halfLife_s: number;

  constructor(halfLife_s: number) {
    this.#halfLife_s = halfLife_s;
  }

  add(value: number, weight_s: number): void {
    const kept = 2 ** (-weight_s / this.#halfLife_s);
    // Dividing by the sum of the weights so far removes the bias toward the initial value of 0.
    const weight = this.#weight * kept + (1 - kept);
    this.value = (this.value * this.#weight * kept + value * (1 - kept)) / weight;
    this.#weight = weight;
  }
}

const newAverages = () => [new Average(FAST_HALF_LIFE_S), new Average(SLOW_HALF_LIFE_S)] as const;

/**
 * Estimates the network's throughput. A network-limited sample is added to the averages. A pace-limited sample is only
 * a lower bound: it raises an estimate below it, and an estimate above it decays slowly toward it. Without this
 * distinction, a paced player would mistake its own pace for the network's capacity, and choose ever lower rungs (Sammy
 * §2.3.1). An encoder-limited sample causes no decay: its throughput is the rung's bitrate, so the estimate would
 * become too low for every rung.
 */
export class ThroughputEstimator {
  #averages = newAverages();
  /** Whether the estimate comes from earlier sessions only. */
  #seeded = false;
  #lastAt: Milliseconds | undefined;
  /** The network-limited samples of the last minute. */
  #limited: readonly ThroughputSample[] = [];
  #doubted = kbps(0);

  /**
   * Starts from a known throughput, as if `SEEDED_S` seconds had been downloaded at that rate. A `trust` below 1
   * reduces this weight. Otherwise, a session with an old history would start worse than a session without a history,
   * whose first download determines the estimate.
   */
  seed(throughput: Kbps, trust = 1): void {
    for (const average of this.#averages) average.add(throughput, SEEDED_S * trust);
    this.#seeded = true;
  }

  /** Whether the estimate is based on samples, and not only on a seed. */
  get hasSamples(): boolean {
    return this.#lastAt !== undefined;
  }

  /** The number of consecutive uninformative downloads up to now (see `addDoubtful`). */
  doubts = 0;

  /**
   * Records an uninformative download: a possible cache hit or, with `mayBeCached` false, a download whose time was
   * mostly the round trip. After several such downloads in a row, the estimate is at least `bound`, so that a higher
   * rung is tried, which is probably not cached. After a possible cache hit, the next informative sample replaces the
   * averages instead of adding to them.
   */
  addDoubtful(bound: Kbps, mayBeCached: boolean): void {
    this.#seeded ||= mayBeCached;
    if (++this.doubts >= SEVERAL) this.#doubted = kbps(Math.max(this.#doubted, bound));
  }

  /** Ends a series of doubtful downloads. Call it when a download is clearly from the network. */
  clearDoubts(): void {
    this.doubts = this.#doubted = kbps(0);
  }

  /** Adds a sample of a positive size and duration. */
  add(sample: ThroughputSample): void {
    const throughput = sampleThroughput(sample);
    const isLeast = isLowerBound(sample);
    if (!isLeast && sample.duration >= TELLING_S) {
      // The first sample of this session replaces the throughput of earlier sessions.
      if (this.#seeded) this.#averages = newAverages();
      this.#seeded = false;
      this.#limited = [...this.#limited, sample].filter(isRecent(sample.at));
    }
    const lastAt = this.#lastAt ?? sample.at;
    this.#lastAt = milliseconds(Math.max(sample.at, lastAt));
    const elapsed_s = (this.#lastAt - lastAt) / 1000;
    const kept = 2 ** (-elapsed_s / FORGETTING_HALF_LIFE_S);
    for (const average of this.#averages) {
      // A lower bound raises a lower average. A higher average only decays slowly toward a lower bound.
      if (average.value <= throughput || !isLeast) average.add(throughput, sample.duration);
      else if (!isEncoderLimited(sample)) average.value = throughput + (average.value - throughput) * kept;
    }
  }

  /** The throughputs of the last minute's network-limited downloads, oldest first. */
  networkThroughputs(now: Milliseconds): readonly Kbps[] {
    return this.#limited.filter(isRecent(now)).map(sampleThroughput);
  }

  /**
   * The lower of a fast and a slow average, so the estimate falls quickly and rises slowly. Undefined before the first
   * sample.
   */
  get estimate(): Kbps | undefined {
    const [fast, slow] = this.#averages;
    const known = Math.max(Math.min(fast.value, slow.value), this.#doubted);
    return known > 0 ? kbps(known) : undefined;
  }
}

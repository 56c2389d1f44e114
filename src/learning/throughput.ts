import {
  kbps,
  milliseconds,
  rateOf,
  seconds,
  timeAt,
  type Bytes,
  type Kbps,
  type Milliseconds,
  type Seconds,
} from '../units.ts';

/** A download as seen by the player. */
export interface ThroughputSample {
  readonly size: Bytes;
  /** From sending the request to the last byte: x_t = s_t / Δ_t (Sammy Appendix A). */
  readonly duration: Seconds;
  /** The pace that the server applied; null or undefined for none. */
  readonly pace?: Kbps | null | undefined;
  /** The rate at which the encoder made it, if it was sent meanwhile (low-latency live). */
  readonly encoded?: Kbps | undefined;
  /**
   * The connection's round-trip time, where the receipt tells: the request spends one before its first byte. The
   * least one, for a queue that the download fills is the network's doing.
   */
  readonly rtt?: Milliseconds | undefined;
  /** When the download ended. */
  readonly at: Milliseconds;
}

/**
 * From this share of the pace (or the encoder's rate) on, that limited a sample and not the network. What is missing
 * to 1 is what the server needs to begin, and the packet headers that a paced socket counts.
 */
const PACE_LIMITED_FROM = 0.8;

/** Half-lives in seconds of downloading; dash.js's own EWMA has the same (5.2, `throughput.ewma`). */
const FAST_HALF_LIFE_S = 3;
const SLOW_HALF_LIFE_S = 8;

/** How fast an estimate above a lower bound is forgotten, s of wall time: old news, but not refuted. */
const FORGETTING_HALF_LIFE_S = 30;

/** How long a slow download is remembered: the network may become as slow again. */
const REMEMBERED_MS = 60_000;
const SEEDED_S = 0.5;
/** So many in a row that may have come from a cache: as many segments are buffered then, to try a higher rung with. Ours. */
const SEVERAL = 3;
/** A shorter download says as much of the server and the browser as of the network. */
const TELLING_S = 0.5;

export const throughputOf = (sample: ThroughputSample): Kbps => rateOf(sample.size, sample.duration);

/** Whether the pace limited the download. The sample is then a lower bound of the network's throughput. */
export const isPaceLimited = (sample: Omit<ThroughputSample, 'at'>): boolean =>
  keptUpWith(sample.pace, sample);

/** Whether the encoder of low-latency live limited the download. The sample is then a lower bound, too. */
export const isEncoderLimited = (sample: ThroughputSample): boolean => keptUpWith(sample.encoded, sample);

export const isLowerBound = (sample: ThroughputSample): boolean =>
  isPaceLimited(sample) || isEncoderLimited(sample);

/**
 * Segments of low-latency live are sent while they are made, and yet each of their chunks comes as fast as the network
 * carries it. Where the encoder set the speed of the whole, the time in which bytes came, without the waits in between,
 * tells what the network can do. Where the network did, the whole download tells it better: `receiving` is taken with
 * the player's clock, between a few reads of each chunk.
 */
export function withoutWaits(sample: ThroughputSample, receiving: Milliseconds): ThroughputSample {
  const duration = seconds(receiving / 1000);
  const waited = receiving > 0 && duration < PACE_LIMITED_FROM * sample.duration;
  return waited && isEncoderLimited(sample) ? { ...sample, duration, encoded: undefined } : sample;
}

function keptUpWith(
  rate: Kbps | null | undefined,
  { size, duration, rtt }: Omit<ThroughputSample, 'at'>,
): boolean {
  if (!rate) return false;
  const atRate_s = timeAt(size, rate) + (rtt ?? 0) / 1000;
  return duration * PACE_LIMITED_FROM <= atRate_s;
}

const lately = (now: Milliseconds) => (sample: ThroughputSample) => now - sample.at <= REMEMBERED_MS;

/** An exponentially weighted average over download time. */
class Average {
  /** 0 before the first. */
  value = 0;
  #weight = 0;
  readonly #halfLife_s: number;

  constructor(halfLife_s: number) {
    this.#halfLife_s = halfLife_s;
  }

  add(value: number, weight_s: number): void {
    const kept = 2 ** (-weight_s / this.#halfLife_s);
    // Dividing by the weights given so far, rather than starting from zero, keeps the first samples unbiased.
    const weight = this.#weight * kept + (1 - kept);
    this.value = (this.value * this.#weight * kept + value * (1 - kept)) / weight;
    this.#weight = weight;
  }
}

const newAverages = () => [new Average(FAST_HALF_LIFE_S), new Average(SLOW_HALF_LIFE_S)] as const;

/**
 * The estimate of what the network carries. A sample that the network limited is averaged in. A sample that
 * the pace limited says only "at least this much": it can raise the estimate, never push it below itself;
 * an estimate above it is forgotten slowly towards it. The encoder, unlike the pace, sends no faster than the rung's
 * bitrate, from which no rung could be held: towards that nothing is forgotten. Without this distinction a paced player would take
 * its own pace for the network's capacity and spiral down (Sammy §2.3.1).
 */
export class ThroughputEstimator {
  #averages = newAverages();
  /** Whether the estimate comes from earlier sessions only. */
  #seeded = false;
  #lastAt: Milliseconds | undefined;
  /** Samples of the last minute that only the network limited. */
  #limited: readonly ThroughputSample[] = [];
  #doubts = 0;
  #doubted = kbps(0);

  /** Starts from what earlier sessions saw, as if `SEEDED_S` had been downloaded at that speed. */
  seed(throughput: Kbps): void {
    for (const average of this.#averages) average.add(throughput, SEEDED_S);
    this.#seeded = true;
  }

  /** Number of latest downloads in a row that say little about the network. */
  get doubts(): number {
    return this.#doubts;
  }

  /**
   * A download may have come from a cache, or the network is fast. Both go on for long, and only a segment that no cache is
   * likely to have tells them apart: several in a row let the estimate rise to `bound`, from where a higher rung is tried. What
   * comes as from a network after that is believed at once. So for one that was little but a round trip, only that what has
   * been learnt is kept (`mayBeCached` is false).
   */
  doubt(bound: Kbps, mayBeCached: boolean): void {
    this.#seeded ||= mayBeCached;
    if (++this.#doubts >= SEVERAL) this.#doubted = kbps(Math.max(this.#doubted, bound));
  }

  /** The next sample is the network's. */
  trust(): void {
    this.#doubts = this.#doubted = kbps(0);
  }

  add(sample: ThroughputSample): void {
    const throughput = throughputOf(sample);
    if (!Number.isFinite(throughput) || throughput <= 0) return;
    const isLeast = isLowerBound(sample);
    if (!isLeast && sample.duration >= TELLING_S) {
      // One look at this network says more than the memory of another session.
      if (this.#seeded) this.#averages = newAverages();
      this.#seeded = false;
      this.#limited = [...this.#limited, sample].filter(lately(sample.at));
    }
    const elapsed_s = Math.max(0, sample.at - (this.#lastAt ?? sample.at)) / 1000;
    this.#lastAt = milliseconds(Math.max(sample.at, this.#lastAt ?? sample.at));
    const kept = 2 ** (-elapsed_s / FORGETTING_HALF_LIFE_S);
    for (const average of this.#averages) {
      // A lower bound below the estimate does not contradict the estimate.
      if (average.value <= throughput || !isLeast) average.add(throughput, sample.duration);
      else if (!isEncoderLimited(sample)) average.value = throughput + (average.value - throughput) * kept;
    }
  }

  /** The throughputs of the last minute's downloads that only the network limited, and no pace; oldest first. */
  carried(now: Milliseconds): readonly Kbps[] {
    return this.#limited.filter(lately(now)).map(throughputOf);
  }

  /** The lower of a fast and a slow average: quick to fall, slow to rise. Undefined before the first sample. */
  get estimate(): Kbps | undefined {
    const [fast, slow] = this.#averages;
    const known = Math.max(Math.min(fast.value, slow.value), this.#doubted);
    return known > 0 ? kbps(known) : undefined;
  }
}

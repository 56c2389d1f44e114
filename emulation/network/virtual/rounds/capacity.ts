/** A time span, ms, with a constant rate, bytes/ms. */
export interface Piece {
  readonly duration_ms: number;
  readonly bytesPerMs: number;
}

/** The bytes that a link can carry over time. Its rate is constant between break points, and repeats with a period. */
export class Capacity {
  readonly #pieces: readonly Piece[];
  /** The end of each piece, in ms from the start of a period; the last one is the period's length. */
  readonly #ends_ms: Float64Array;
  /** The bytes from the start of a period to the end of each piece. */
  readonly #sums: Float64Array;
  readonly #period_ms: number;
  readonly #period_bytes: number;
  /** The position of time 0 within a period. */
  readonly #origin_ms: number;
  /**
   * The index of the last look-up, where the next look-up starts, because consecutive look-ups are nearly always close.
   */
  #hint = 0;

  /** Throws an Error if the pieces carry nothing or have no duration. */
  constructor(pieces: readonly Piece[], origin_ms = 0) {
    this.#pieces = pieces;
    this.#origin_ms = origin_ms;
    this.#ends_ms = new Float64Array(pieces.length);
    this.#sums = new Float64Array(pieces.length);
    let [end, sum] = [0, 0];
    pieces.forEach(({ duration_ms, bytesPerMs }, index) => {
      this.#ends_ms[index] = end += duration_ms;
      this.#sums[index] = sum += duration_ms * bytesPerMs;
    });
    this.#period_ms = end;
    this.#period_bytes = sum;
    if (!(end > 0)) throw new Error('a link must last longer than 0 s');
    if (!(sum > 0)) throw new Error('a link needs a rate above 0 at some time');
  }

  /** Returns the same link with its time 0 moved to `origin_ms`. */
  shiftedTo(origin_ms: number): Capacity {
    return new Capacity(this.#pieces, this.#origin_ms + origin_ms);
  }

  /** Bytes from the beginning of a period until `time_ms`. */
  bytesUntil(time_ms: number): number {
    const at_ms = time_ms + this.#origin_ms;
    const periods = Math.floor(at_ms / this.#period_ms);
    const inside = at_ms - periods * this.#period_ms;
    return (
      periods * this.#period_bytes +
      interpolated(this.#ends_ms, this.#sums, inside, this.#at(this.#ends_ms, inside))
    );
  }

  /** The bytes that the link can carry between two times. */
  bytesBetween(from_ms: number, to_ms: number): number {
    return to_ms > from_ms ? this.bytesUntil(to_ms) - this.bytesUntil(from_ms) : 0;
  }

  /** The time at which `size` bytes have been carried, if they start at `from_ms`. */
  timeToCarry(from_ms: number, size: number): number {
    if (size <= 0) return from_ms;
    const target = this.bytesUntil(from_ms) + size;
    // Bytes that complete a period arrive at its end, before a pause at the start of the next period.
    const periods = Math.ceil(target / this.#period_bytes) - 1;
    const inside = target - periods * this.#period_bytes;
    const at = interpolated(this.#sums, this.#ends_ms, inside, this.#at(this.#sums, inside));
    return Math.max(from_ms, periods * this.#period_ms + at - this.#origin_ms);
  }

  /** The first index whose value is not below `value`. */
  #at(values: Float64Array, value: number): number {
    const hint = this.#hint;
    if (within(values, hint, value)) return hint;
    if (within(values, hint + 1, value)) return (this.#hint = hint + 1);
    let [low, high] = [0, values.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return (this.#hint = low);
  }
}

const within = (values: Float64Array, index: number, value: number): boolean =>
  index < values.length && (values[index] ?? 0) >= value && (index === 0 || (values[index - 1] ?? 0) < value);

/** Interpolates `to` at the position where `from` has `value`, in the piece that ends at `index`. */
function interpolated(from: Float64Array, to: Float64Array, value: number, index: number): number {
  const [start, end] = [index > 0 ? (from[index - 1] ?? 0) : 0, from[index] ?? 0];
  const [first, last] = [index > 0 ? (to[index - 1] ?? 0) : 0, to[index] ?? 0];
  return end > start ? first + ((last - first) * (value - start)) / (end - start) : last;
}

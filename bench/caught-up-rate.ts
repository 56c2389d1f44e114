interface Point {
  readonly time_s: number;
  readonly bytes: number;
}

/**
 * Measures the rate at which bytes arrived, for a client that is sometimes delayed. A delayed client counts all bytes
 * that the kernel has received in the meantime late and at once, so the rate seems too low before this moment and too
 * high after it. Therefore the rate is measured between two moments at which the client had caught up: in each half of
 * the measurement, the moment at which the bytes were furthest ahead of the expected rate. If the client has caught up
 * once in each half, the result is exact for any constant rate; otherwise the error is at most the client's delay.
 */
export class CaughtUpRate {
  #start: Point | null = null;
  #end: Point | null = null;

  constructor(
    /** The expected rate, bytes/s. */
    readonly expected: number,
    /** The beginning and the middle of the measurement, s. */
    readonly from_s: number,
    readonly middle_s: number,
  ) {}

  /** Records the number of bytes received so far, counted from any moment. */
  note(time_s: number, bytes: number): void {
    if (time_s < this.from_s) return;
    const point = { time_s, bytes };
    if (time_s < this.middle_s) this.#start = this.#further(this.#start, point);
    else this.#end = this.#further(this.#end, point);
  }

  /** The measured rate divided by the expected rate; 0 if no bytes arrived in one of the halves. */
  get ratio(): number {
    const [start, end] = [this.#start, this.#end];
    if (!start || !end) return 0;
    return (end.bytes - start.bytes) / (end.time_s - start.time_s) / this.expected;
  }

  #further(one: Point | null, other: Point): Point {
    const ahead = ({ bytes, time_s }: Point) => bytes - this.expected * time_s;
    return one && ahead(one) >= ahead(other) ? one : other;
  }
}

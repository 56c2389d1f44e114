interface Point {
  readonly time_s: number;
  readonly bytes: number;
}

/**
 * The rate at which bytes arrived, for a client that is sometimes delayed. A delayed client counts the bytes that the kernel
 * has received meanwhile late and all at once: after such a moment the rate would seem too high, and before it too low. So
 * the rate is measured between two moments at which the client had caught up: in each half of the measurement, the moment at
 * which the bytes were furthest ahead of the expected rate. The result is exact for any constant rate if the client has
 * caught up once in each half; otherwise the error is at most the client's delay.
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

  /** Notes how many bytes have come until now, since any moment. */
  note(time_s: number, bytes: number): void {
    if (time_s < this.from_s) return;
    const point = { time_s, bytes };
    if (time_s < this.middle_s) this.#start = this.#further(this.#start, point);
    else this.#end = this.#further(this.#end, point);
  }

  /** The rate over the expected one; 0 where nothing came in one of the halves. */
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

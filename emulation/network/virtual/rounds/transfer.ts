/** A response in progress, as the client receives it. */
export class Transfer {
  readonly size_bytes: number;
  /** The arrival time of the first byte; NaN before anything was sent. */
  first_ms = NaN;
  /** The arrival time of the last byte; Infinity until it is known. */
  ends_ms = Infinity;
  /** Bytes left to send, including the retransmission of lost ones. */
  remaining_bytes: number;
  /** The periods in which lost data are missing. TCP delivers in order, so the client gets no later data meanwhile. */
  #holes: { readonly from_ms: number; to_ms: number }[] = [];
  readonly #batches: { readonly from_ms: number; readonly to_ms: number; readonly bytes: number }[] = [];

  constructor(size_bytes: number) {
    this.size_bytes = this.remaining_bytes = size_bytes;
  }

  copy(): Transfer {
    const copy = new Transfer(this.size_bytes);
    const { first_ms, ends_ms, remaining_bytes } = this;
    Object.assign(copy, { first_ms, ends_ms, remaining_bytes });
    copy.#holes = this.#holes.map((hole) => ({ ...hole }));
    copy.#batches.push(...this.#batches);
    return copy;
  }

  /** Records content that arrives at a constant rate between two times. */
  recordArrival(from_ms: number, to_ms: number, bytes: number): void {
    this.#batches.push({ from_ms, to_ms, bytes });
  }

  /** Records that data are missing from this time on, until `recordRepair`. */
  recordLoss(from_ms: number): void {
    if (this.#holes.at(-1)?.to_ms !== Infinity) this.#holes.push({ from_ms, to_ms: Infinity });
  }

  recordRepair(at_ms: number): void {
    const hole = this.#holes.at(-1);
    if (hole?.to_ms === Infinity) hole.to_ms = at_ms;
  }

  /** The bytes that the client has received in order by a time. */
  arrivedBy(time_ms: number): number {
    if (time_ms >= this.ends_ms) return this.size_bytes;
    const hole = this.#holes.find(({ from_ms, to_ms }) => from_ms <= time_ms && time_ms < to_ms);
    const at_ms = hole?.from_ms ?? time_ms;
    let sum = 0;
    for (const { from_ms, to_ms, bytes } of this.#batches) {
      if (at_ms >= to_ms) sum += bytes;
      else if (at_ms > from_ms) sum += (bytes * (at_ms - from_ms)) / (to_ms - from_ms);
    }
    return Math.min(this.size_bytes, sum);
  }
}

/** A response under way, as the client sees it. */
export class Transfer {
  readonly size_bytes: number;
  /** When its first byte was there; NaN before anything was sent. */
  first_ms = NaN;
  /** When its last byte is there; Infinity before that is known. */
  ends_ms = Infinity;
  /** What is still to be sent, lost bytes included. */
  remaining_bytes: number;
  /** Since and until when something is missing that was lost, so that the client sees nothing of what comes behind it. */
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

  /** So much content reaches the client evenly between two times. */
  arrives(from_ms: number, to_ms: number, bytes: number): void {
    this.#batches.push({ from_ms, to_ms, bytes });
  }

  /** From here on something is missing, until `filled`. */
  missing(from_ms: number): void {
    if (this.#holes.at(-1)?.to_ms !== Infinity) this.#holes.push({ from_ms, to_ms: Infinity });
  }

  filled(at_ms: number): void {
    const hole = this.#holes.at(-1);
    if (hole?.to_ms === Infinity) hole.to_ms = at_ms;
  }

  /** What the client has seen by a time, in order. */
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

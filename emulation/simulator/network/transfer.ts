/** A response under way, as the client sees it. */
export class Transfer {
  readonly size_bytes: number;
  /** When its first byte was there; NaN before anything was sent. */
  first_ms = NaN;
  /** When its last byte is there; Infinity before that is known. */
  ends_ms = Infinity;
  /** What is still to be sent, lost bytes included. */
  remaining_bytes: number;
  readonly #batches: { readonly from_ms: number; readonly to_ms: number; readonly bytes: number }[] = [];

  constructor(size_bytes: number) {
    this.size_bytes = this.remaining_bytes = size_bytes;
  }

  /** So much content reaches the client evenly between two times. */
  arrives(from_ms: number, to_ms: number, bytes: number): void {
    this.#batches.push({ from_ms, to_ms, bytes });
  }

  /** What has arrived by a time. */
  arrivedBy(at_ms: number): number {
    if (at_ms >= this.ends_ms) return this.size_bytes;
    let sum = 0;
    for (const { from_ms, to_ms, bytes } of this.#batches) {
      if (at_ms >= to_ms) sum += bytes;
      else if (at_ms > from_ms) sum += (bytes * (at_ms - from_ms)) / (to_ms - from_ms);
    }
    return Math.min(this.size_bytes, sum);
  }
}

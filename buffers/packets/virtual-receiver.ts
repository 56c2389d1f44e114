/**
 * A receiver whose interface merges consecutive packets (GRO). It sends one ACK for each merged piece; for single
 * packets it acknowledges every second one.
 */
export class VirtualReceiver {
  #next = 0;
  readonly #beyond = new Set<number>();
  #pending = 0;
  readonly #most: number;
  /** Whether a packet waits for its delayed ACK. */
  delayed = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of the next expected packet: all packets before it have arrived. */
  get next(): number {
    return this.#next;
  }

  /** Receives packets, and returns the resulting ACKs in order. */
  take(numbers: readonly number[]): { upTo: number; beyond: readonly number[] }[] {
    const acks: { upTo: number; beyond: readonly number[] }[] = [];
    for (let at = 0; at < numbers.length;) {
      const first = numbers[at] ?? 0;
      let end = at + 1;
      while (end < numbers.length && end - at < this.#most && numbers[end] === first + end - at) end++;
      const piece = numbers.slice(at, end);
      at = end;
      const inOrder = first === this.#next && this.#beyond.size === 0;
      for (const number of piece) this.#beyond.add(number);
      while (this.#beyond.delete(this.#next)) this.#next++;
      this.#pending += piece.length;
      if (inOrder && this.#pending < 2) continue;
      this.#pending = 0;
      acks.push({ upTo: this.#next, beyond: piece.filter((number) => number >= this.#next) });
    }
    this.delayed = this.#pending > 0;
    return acks;
  }

  /** Returns the ACK that the delayed-ACK timer sends, if a packet is waiting for it. */
  late(): { upTo: number; beyond: readonly number[] } | undefined {
    if (this.#pending === 0) return undefined;
    this.#pending = 0;
    this.delayed = false;
    return { upTo: this.#next, beyond: [] };
  }
}

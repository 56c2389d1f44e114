/** A receiver whose interface gives it packets together (GRO): one ACK for each such piece, and for a single packet for every second. */
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

  /** All before it have come. */
  get next(): number {
    return this.#next;
  }

  /** The ACKs that these packets call for, in order. */
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

  /** The ACK that the timer for delayed ACKs sends. */
  late(): { upTo: number; beyond: readonly number[] } | undefined {
    if (this.#pending === 0) return undefined;
    this.#pending = 0;
    this.delayed = false;
    return { upTo: this.#next, beyond: [] };
  }
}

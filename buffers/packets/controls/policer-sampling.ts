/** The shortest interval, in rounds. An interval of more than four times this length is not used. */
const LEAST_ROUNDS = 4;
const MOST_ROUNDS = 4 * LEAST_ROUNDS;
/** Lost per delivered, from which on an interval is suspect: about a fifth. */
const LOSSY = 50 / 256;
/** Two intervals' rates are the same if they differ by so much at most. */
const SAME = 1 / 8;
const BELIEVED_ROUNDS = 48;
const LEAST_MS = 1;

export interface PolicerAck {
  readonly lost: number;
  readonly lostInAll: number;
  readonly delivered: number;
  readonly delivered_ms: number;
  readonly held: boolean;
  readonly roundStarts: boolean;
  /** BBR is in its cycle, in which belief can end. */
  readonly mayEnd: boolean;
}

/**
 * BBR's belief that a policer limits it: two intervals in a row that lost much and got the same. Then it takes their rate for
 * the path's, and does not probe for more for 48 rounds.
 */
export class PolicerSampling {
  /** Packets a ms; undefined while it does not believe. */
  rate: number | undefined;
  #rateBefore: number | undefined;
  #samples = false;
  #rounds = 0;
  #from = { delivered: 0, lost: 0, ms: 0 };

  /** Whether it has just ceased to believe. */
  update(ack: PolicerAck): boolean {
    if (this.rate !== undefined) {
      if (!ack.mayEnd || !ack.roundStarts || ++this.#rounds < BELIEVED_ROUNDS) return false;
      this.#reset(ack);
      return true;
    }
    if (!this.#samples) {
      if (ack.lost === 0) return false;
      this.#startInterval(ack);
      this.#samples = true;
    }
    if (ack.held) {
      this.#reset(ack);
      return false;
    }
    if (ack.roundStarts) this.#rounds++;
    if (this.#rounds < LEAST_ROUNDS) return false;
    if (this.#rounds > MOST_ROUNDS) this.#reset(ack);
    else if (ack.lost > 0) this.#endInterval(ack);
    return false;
  }

  #endInterval(ack: PolicerAck): void {
    const lost = ack.lostInAll - this.#from.lost;
    const delivered = ack.delivered - this.#from.delivered;
    // The kernel counts whole ms.
    const ms = Math.floor(ack.delivered_ms) - Math.floor(this.#from.ms);
    if (delivered === 0 || lost < LOSSY * delivered || ms < LEAST_MS) return;
    const rate = delivered / ms;
    const before = this.#rateBefore;
    if (before !== undefined && Math.abs(rate - before) <= SAME * before) {
      this.rate = (rate + before) / 2;
      this.#rateBefore = this.rate;
      this.#rounds = 0;
      return;
    }
    this.#rateBefore = rate;
    this.#startInterval(ack);
  }

  #startInterval({ delivered, delivered_ms, lostInAll }: PolicerAck): void {
    this.#from = { delivered, lost: lostInAll, ms: delivered_ms };
    this.#rounds = 0;
  }

  #reset(ack: PolicerAck): void {
    this.rate = undefined;
    this.#rateBefore = undefined;
    this.#samples = false;
    this.#startInterval(ack);
  }
}

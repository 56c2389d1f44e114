/** The minimum length of an interval, in rounds. Intervals longer than four times this length are not used. */
const LEAST_ROUNDS = 4;
const MOST_ROUNDS = 4 * LEAST_ROUNDS;
/** An interval is suspect if it has at least this many lost packets per delivered packet, about a fifth. */
const LOSSY = 50 / 256;
/** The rates of two intervals count as equal if they differ by at most this share. */
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
  /** Whether BBR is in its bandwidth-probing cycle. Only then can it stop assuming a policer. */
  readonly mayEnd: boolean;
}

/**
 * Detects a policer as BBR does: two intervals in a row with many losses and equal rates. BBR then takes this rate as
 * the path's bandwidth, and does not probe for more for 48 rounds.
 */
export class PolicerSampling {
  /** The policer's rate in packets per ms; undefined while no policer is detected. */
  rate: number | undefined;
  #rateBefore: number | undefined;
  #samples = false;
  #rounds = 0;
  #from = { delivered: 0, lost: 0, ms: 0 };

  /** Processes an ACK. Returns true if BBR has just stopped assuming a policer. */
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
    // Round down, because the kernel counts whole ms.
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

import { kbps, type Seconds } from '../units.ts';
import { withoutWastefulRungs, type Ladder, type Rung } from './ladder.ts';

/** The weight of the latest segment in its rung's average, because scenes differ. */
const LATEST_SHARE = 0.2;
/** Up to this multiple of the manifest's bitrate, the manifest is trusted, because segments of a variable bitrate differ. */
const TOLERATED = 1.2;
/**
 * Seconds of content after which a manifest's bitrate is lowered if all of the content was far smaller. A quiet intro is
 * shorter.
 */
const TELLING_S = 20;
/** Allowance for future scenes, as a multiple of the largest segment so far. */
const RESERVE = 2;
/** The largest plausible ratio between neighboring rungs: ladders have steps of 1.3 to 2.5. */
const LARGEST_STEP = 4;

/**
 * The actual bitrates of rungs. A manifest's @bandwidth may be too low: an average without peaks, an encoder's target, or
 * kbit/s written as bit/s. A player that trusts it requests too much, at too low a pace. It may also be far too high: a limit
 * that the encoder never reaches. A player that trusts it stays at a low rung.
 */
export class ReceivedBitrates {
  /** For each rung, the ratio of received to expected segment sizes. */
  readonly #ratios = new Map<string, number>();
  /** For each rung, the largest of these ratios. */
  readonly #largest = new Map<string, number>();
  /** For rungs without a received segment: the lowest average, and the largest of all ratios. */
  #least = Infinity;
  #most = 0;
  #received_s = 0;

  add(id: string, ratio: number, duration: Seconds): void {
    const before = this.#ratios.get(id) ?? ratio;
    this.#ratios.set(id, before + LATEST_SHARE * (ratio - before));
    this.#largest.set(id, Math.max(ratio, this.#largest.get(id) ?? 0));
    this.#least = Math.min(...this.#ratios.values());
    this.#most = Math.max(ratio, this.#most);
    this.#received_s += duration;
  }

  /**
   * The rung with its actual bitrate. A rung without a received segment is assumed to be as wrong as the least wrong of the
   * others.
   */
  correctRung(rung: Rung): Rung {
    const ratio = this.#ratios.get(rung.id) ?? this.#least;
    const largest = this.#largest.get(rung.id) ?? this.#most;
    const factor =
      ratio > TOLERATED && ratio < Infinity
        ? ratio
        : this.#received_s >= TELLING_S
          ? Math.min(1, RESERVE * largest)
          : 1;
    return factor === 1 ? rung : { ...rung, bitrate_kbps: kbps(rung.bitrate_kbps * factor) };
  }

  /** The ladder with actual bitrates, without rungs whose bitrate exceeds that of a better rung. */
  correctLadder(ladder: Ladder): Ladder {
    let most = Infinity;
    const rungs = ladder.map((rung) => {
      const { bitrate_kbps } = this.correctRung(rung);
      // The error of one rung says little about a rung far above.
      const cost = this.#ratios.has(rung.id)
        ? bitrate_kbps
        : Math.min(bitrate_kbps, Math.max(most, rung.bitrate_kbps));
      most = LARGEST_STEP * cost;
      return cost === rung.bitrate_kbps ? rung : { ...rung, bitrate_kbps: kbps(cost) };
    });
    return withoutWastefulRungs(rungs) ?? ladder;
  }
}

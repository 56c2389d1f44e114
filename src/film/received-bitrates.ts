import { kbps, type Seconds } from '../units.ts';
import { withoutWastefulRungs, type Ladder, type Rung } from './ladder.ts';

/** The weight of the latest segment in its rung's average. Scenes differ, so one segment is not representative. */
const LATEST_SHARE = 0.2;
/**
 * The manifest's bitrate is trusted if segments need up to this multiple of it, because sizes vary with
 * variable-bitrate encoding.
 */
const TOLERATED = 1.2;
/**
 * Seconds of content after which a manifest's bitrate is lowered if all segments were far smaller. Low-bitrate intros
 * are shorter than this.
 */
const TELLING_S = 20;
/** Allowance for future scenes, as a multiple of the largest segment so far. */
const RESERVE = 2;
/** The largest plausible ratio between neighboring rungs: ladders have steps of 1.3 to 2.5. */
const LARGEST_STEP = 4;

/**
 * The actual bitrates of rungs. A manifest's @bandwidth may be too low: an average without peaks, an encoder's target,
 * or kbit/s written as bit/s. With such a manifest, a player would choose too high a rung at too low a pace. @bandwidth
 * may also be far too high: a limit that the encoder never reaches. With such a manifest, a player would stay at a low
 * rung.
 */
export class ReceivedBitrates {
  /** For each rung, the ratio of received to expected segment sizes. */
  readonly #ratios = new Map<string, number>();
  /** For each rung, the largest of these ratios. */
  readonly #largest = new Map<string, number>();
  /** The lowest average ratio of any rung. Used for rungs without a received segment. */
  #least = Infinity;
  /** The largest ratio of any segment. Used for rungs without a received segment. */
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
   * Returns the rung with its actual bitrate. For a rung without a received segment, the lowest average ratio of the
   * other rungs is used.
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
      // The correction of one rung is unreliable for much higher rungs. Do not let it raise an untried rung above a
      // plausible step of the ladder.
      const cost = this.#ratios.has(rung.id)
        ? bitrate_kbps
        : Math.min(bitrate_kbps, Math.max(most, rung.bitrate_kbps));
      most = LARGEST_STEP * cost;
      return cost === rung.bitrate_kbps ? rung : { ...rung, bitrate_kbps: kbps(cost) };
    });
    return withoutWastefulRungs(rungs) ?? ladder;
  }
}

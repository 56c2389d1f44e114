import { kbps, type Seconds } from '../units.ts';
import { withoutWaste, type Ladder, type Rung } from './ladder.ts';

/** What the latest segment adds to the average of its rung: scenes differ. Ours. */
const LATEST_SHARE = 0.2;
/** Up to so many times its bitrate a rung is taken at the manifest's word: segments of a variable bitrate differ. Ours. */
const TOLERATED = 1.2;
/** After so much content, s, a rung is not taken at the manifest's word where all of it was far smaller. Ours: a quiet intro is shorter. */
const TELLING_S = 20;
/** So many times the largest segment so far a scene to come may have. Ours. */
const RESERVE = 2;
/** What the next rung may cost at most, as far as is known: ladders have steps of 1.3 to 2.5. Ours. */
const LARGEST_STEP = 4;

/**
 * The bitrates that rungs have turned out to have. A manifest's @bandwidth may be too low: an average without peaks, an
 * encoder's target, or kbit/s written as bit/s. A player that goes by it asks for too much, at too low a pace. Or it may be
 * far too high: a limit that the encoder never reaches. A player that goes by that stays at a low rung.
 */
export class ReceivedBitrates {
  /** For each rung, the ratio of received to expected segment sizes. */
  readonly #ratios = new Map<string, number>();
  /** For each rung, the largest of these ratios. */
  readonly #largest = new Map<string, number>();
  /** For rungs that have not been received: the least of the averages, and the largest of all ratios. */
  #least = Infinity;
  #most = 0;
  #received_s = 0;

  /** A segment has arrived. */
  add(id: string, ratio: number, duration: Seconds): void {
    const before = this.#ratios.get(id) ?? ratio;
    this.#ratios.set(id, before + LATEST_SHARE * (ratio - before));
    this.#largest.set(id, Math.max(ratio, this.#largest.get(id) ?? 0));
    this.#least = Math.min(...this.#ratios.values());
    this.#most = Math.max(ratio, this.#most);
    this.#received_s += duration;
  }

  /** The rung with its real bitrate; of one that has not been received, as wrong as the least wrong of the others. */
  corrected(rung: Rung): Rung {
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

  /** The ladder with real bitrates, and without rungs that cost more than a better one. */
  ladderOf(ladder: Ladder): Ladder {
    let most = Infinity;
    const rungs = ladder.map((rung) => {
      const { bitrate_kbps } = this.corrected(rung);
      // Another rung's error says little of one that is far above it.
      const cost = this.#ratios.has(rung.id)
        ? bitrate_kbps
        : Math.min(bitrate_kbps, Math.max(most, rung.bitrate_kbps));
      most = LARGEST_STEP * cost;
      return cost === rung.bitrate_kbps ? rung : { ...rung, bitrate_kbps: kbps(cost) };
    });
    return withoutWaste(rungs) ?? ladder;
  }
}

import { kbps } from '../units.ts';
import { withoutWaste, type Ladder, type Rung } from './ladder.ts';

/** What the latest segment adds to the average of its rung: scenes differ. Ours. */
const LATEST_SHARE = 0.2;
/** Up to so many times its bitrate a rung is taken at the manifest's word: segments of a variable bitrate differ. Ours. */
const TOLERATED = 1.2;
/** What the next rung may cost at most, as far as is known: ladders have steps of 1.3 to 2.5. Ours. */
const LARGEST_STEP = 4;

/**
 * The bitrates that rungs have turned out to have. A manifest's @bandwidth may be too low: an average without peaks, an
 * encoder's target, or kbit/s written as bit/s. Who goes by it asks for too much, at too low a pace.
 */
export class ReceivedBitrates {
  /** By rung: size of its segments over what was expected. */
  readonly #ratios = new Map<string, number>();

  /** A segment has arrived. */
  add(id: string, ratio: number): void {
    const before = this.#ratios.get(id) ?? ratio;
    this.#ratios.set(id, before + LATEST_SHARE * (ratio - before));
  }

  /** The rung with its real bitrate; of one that has not been received, as wrong as the least wrong of the others. */
  corrected(rung: Rung): Rung {
    const ratio = this.#ratios.get(rung.id) ?? Math.min(...this.#ratios.values());
    return ratio > TOLERATED && ratio < Infinity
      ? { ...rung, bitrate_kbps: kbps(rung.bitrate_kbps * ratio) }
      : rung;
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

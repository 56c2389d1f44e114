import type { PacingHonored } from '../decision.ts';
import { bytes, rateOf, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** What was asked for, what the receipt says was applied, and what came of it. */
export interface PacedTransfer {
  readonly requested: Kbps | null;
  /** Undefined when there was no receipt; null when it says that nothing was paced. */
  readonly applied: Kbps | null | undefined;
  /** Of a socket shared with other responses, the same. */
  readonly socket: Kbps | null | undefined;
  readonly size: Bytes;
  readonly duration: Seconds;
}

/** So many in a row, since one alone may have met a burst, or a cache on its way. */
const SEVERAL = 4;

/** A paced download is never so fast: that is not the pace's doing. */
export const CLEARLY_ABOVE = 2;
/** Between these it may well have been the pace that set the speed. */
const NEAR_BELOW = 0.8;
const NEAR_ABOVE = 1.3;

/**
 * Less than this tells nothing: much of it may go out at once, since a pace only holds back what comes after a
 * packet. A packet is up to 64 kB where the sender's interface takes it apart, and on loopback.
 */
const SMALLEST = bytes(200_000);

/**
 * Reconciles the pace that was requested, the one that the edge says it applied, and the throughput that
 * was achieved. An edge that serves faster than it was asked to, several segments in a row and whatever it
 * says, or that says itself that it does not pace, does not honor rtp: from then on what it serves is taken
 * for what the network carries. It is asked all the same, and trusted again once it begins to honor it.
 */
export class EdgeTrust {
  #honored: PacingHonored = 'unknown';
  /** How many transfers in a row have spoken for it; below 0, against it. */
  #streak = 0;

  get honored(): PacingHonored {
    return this.#honored;
  }

  /** Learns from a download that did not come from the browser's cache, and returns the pace that it may be believed to have had. */
  observe(transfer: PacedTransfer): Kbps | null {
    const { requested, applied } = transfer;
    const speaks = evidence(transfer);
    if (speaks !== 0) this.#streak = this.#streak * speaks < 0 ? speaks : this.#streak + speaks;
    if (Math.abs(this.#streak) >= SEVERAL) this.#honored = this.#streak > 0 ? 'yes' : 'no';

    const contradicted = applied === undefined || speaks < 0;
    if (this.#honored === 'no' && contradicted) return null;
    // An edge that says nothing is taken at the player's word; one that says `unpaced` is believed.
    return applied === undefined ? requested : applied;
  }
}

/** 1 for an edge that honors rtp, -1 against it, 0 if the transfer tells nothing. */
function evidence({ requested, applied, socket, size, duration }: PacedTransfer): 1 | -1 | 0 {
  if (requested === null) return 0;
  if (applied === null) return -1;
  if (socket === null || size < SMALLEST) return 0;
  const own = applied ?? requested;
  // Beside a small audio segment a video segment may have all of a shared socket.
  const ratio = rateOf(size, duration) / Math.max(own, socket ?? 0);
  if (ratio > CLEARLY_ABOVE) return -1;
  // Slower than the pace is the network's doing, of which only a receipt tells that there was a pace too.
  return ratio <= NEAR_ABOVE && (applied !== undefined || ratio >= NEAR_BELOW) ? 1 : 0;
}

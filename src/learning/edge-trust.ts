import type { PacingHonored } from '../decision.ts';
import { bytes, averageRate, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** A download with the pace that was requested and the pace that its receipt reports. */
export interface PacedTransfer {
  readonly requested: Kbps | null;
  /** Undefined without a receipt; null if the receipt reports no pace. */
  readonly applied: Kbps | null | undefined;
  /** The pace of the socket if other responses share it. Undefined and null have the same meaning as in `applied`. */
  readonly socket: Kbps | null | undefined;
  readonly size: Bytes;
  readonly duration: Seconds;
}

/** The number of consecutive transfers that must agree. A single transfer may be a burst or come from a cache. */
const SEVERAL = 4;

/** A download that is faster than this multiple of the pace was certainly not paced. */
export const CLEARLY_ABOVE = 2;
/** Between these multiples of the pace, the pace probably limited the throughput. */
const NEAR_BELOW = 0.8;
const NEAR_ABOVE = 1.3;

/**
 * Smaller downloads are no evidence, because a large part of them may arrive in one burst: pacing acts between packets,
 * and a packet has up to 64 kB with segmentation offload and on loopback.
 */
const SMALLEST = bytes(200_000);

/**
 * Compares the requested pace, the pace that the edge reports, and the achieved throughput. An edge does not honor
 * `rtp` if it serves several consecutive segments much faster than requested, whatever it reports, or if it reports
 * that it does not pace. The throughput of its responses then counts as the network's. Requests to it still have `rtp`,
 * and it is trusted again when it honors the pace.
 */
export class EdgeTrust {
  #honored: PacingHonored = 'unknown';
  /** Number of consecutive transfers in which the edge honored `rtp`; negative if the edge did not honor `rtp`. */
  #streak = 0;

  get honored(): PacingHonored {
    return this.#honored;
  }

  /**
   * Learns from a download that did not come from the browser's cache. Returns the pace that probably limited the
   * download.
   */
  observe(transfer: PacedTransfer): Kbps | null {
    const { requested, applied } = transfer;
    const speaks = evidence(transfer);
    if (speaks !== 0) this.#streak = this.#streak * speaks < 0 ? speaks : this.#streak + speaks;
    if (Math.abs(this.#streak) >= SEVERAL) this.#honored = this.#streak > 0 ? 'yes' : 'no';

    const contradicted = applied === undefined || speaks < 0;
    if (this.#honored === 'no' && contradicted) return null;
    // Without a receipt, assume the requested pace. A receipt that reports no pace is trusted.
    return applied === undefined ? requested : applied;
  }
}

/** Returns 1 if the transfer shows that the edge honors `rtp`, -1 if it shows the opposite, and 0 if it is no evidence. */
function evidence({ requested, applied, socket, size, duration }: PacedTransfer): 1 | -1 | 0 {
  if (requested === null) return 0;
  if (applied === null) return -1;
  if (socket === null || size < SMALLEST) return 0;
  const own = applied ?? requested;
  // A video segment may use the whole pace of a socket that it shares with a small audio segment.
  const ratio = averageRate(size, duration) / Math.max(own, socket ?? 0);
  if (ratio > CLEARLY_ABOVE) return -1;
  // If the throughput was below the pace, the network was the limit, and only a receipt shows that the edge paced.
  return ratio <= NEAR_ABOVE && (applied !== undefined || ratio >= NEAR_BELOW) ? 1 : 0;
}

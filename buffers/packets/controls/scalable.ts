import { Reno } from './reno.ts';

/** At most this many acknowledged packets increase the window by one packet. */
const PACKETS_TO_GROW = 100;
/** A loss reduces the window by 1/8. */
const LOSS_SHIFT = 3;

/**
 * Scalable TCP (Kelly, 2003), as in `emulation/network/congestion/scalable.c`. It differs from Reno only in its
 * increase and decrease.
 */
export class Scalable extends Reno {
  protected override packetsToGrow(window: number): number {
    return Math.min(window, PACKETS_TO_GROW);
  }

  protected override afterLoss(window: number): number {
    return window - (window >> LOSS_SHIFT);
  }
}

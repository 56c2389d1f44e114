import { topOf, type Ladder, type Rung } from '../film/ladder.ts';
import type { Kbps, Seconds } from '../units.ts';

/** Of the first picture more is won than later of many segments that are downloaded twice. */
const REPLACED_UP_TO_S = 4;

/**
 * While it is replaced the buffer does not grow: this way two fifths of it are left. The first segment's throughput,
 * over a round trip of 40 ms at 10 Mbit/s, is 1.9 times a top bitrate of 3.3 Mbit/s. Ours.
 */
const FASTER_THAN_PLAYED = 1.75;

/**
 * On a switch up dash.js downloads again, and replaces, what it has buffered (its fast switch), often with the very
 * segment that plays. That pays at the start of a session, on a fast network, and by the top rung: another would be
 * replaced again.
 */
export class Replacement {
  #started = false;

  /** Is it worth to replace `buffer` seconds by `rung`? No longer, once more than 4 s were buffered. */
  pays(buffer: Seconds, ladder: Ladder, rung: Rung, throughput: Kbps): boolean {
    this.#started ||= buffer > REPLACED_UP_TO_S;
    return !this.#started && rung === topOf(ladder) && throughput >= FASTER_THAN_PLAYED * rung.bitrate_kbps;
  }
}

import type { Kbps, Seconds } from './units.ts';

/** Of the first picture more is won than later of many segments that are downloaded twice. */
const REPLACED_UP_TO_S = 4;

/** While it is replaced the buffer does not grow: this way it loses at most half. */
const FASTER_THAN_PLAYED = 2;

/**
 * On a switch up dash.js downloads again, and replaces, what it has buffered (its fast switch), often with the very
 * segment that plays. That pays at the start of a session, on a fast network.
 */
export class Replacement {
  #started = false;

  /** Is it worth to replace `buffer` seconds by a rung of this bitrate? No longer, once more than that was buffered. */
  pays(buffer: Seconds, bitrate: Kbps, throughput: Kbps): boolean {
    this.#started ||= buffer > REPLACED_UP_TO_S;
    return !this.#started && throughput >= FASTER_THAN_PLAYED * bitrate;
  }
}

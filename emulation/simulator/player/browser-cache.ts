import type { Decision } from '../../../src/decision.ts';

/** The segments that the browser has. A URL with another pace is another entry (`rtp` in the query). */
export class BrowserCache {
  readonly #entries = new Set<string>();

  has(decision: Decision): boolean {
    return this.#entries.has(keyOf(decision));
  }

  add(decision: Decision): void {
    this.#entries.add(keyOf(decision));
  }
}

const keyOf = ({ media_type, representation, segment_start_s, requested_kbps }: Decision): string =>
  `${media_type} ${representation} ${segment_start_s} ${requested_kbps}`;

import type { Decision } from '../../../../src/decision.ts';

/** How a segment came when it came over the network. */
export interface Came {
  readonly bytes: number;
  readonly receiving_ms: number;
}

/** The segments that the browser has. A URL with another pace is another entry (`rtp` in the query). */
export class BrowserCache {
  readonly #entries = new Map<string, Came>();

  /** Undefined of what it does not have. */
  get(decision: Decision): Came | undefined {
    return this.#entries.get(keyOf(decision));
  }

  add(decision: Decision, came: Came): void {
    this.#entries.set(keyOf(decision), came);
  }
}

const keyOf = ({ media_type, representation, segment_start_s, requested_kbps }: Decision): string =>
  `${media_type} ${representation} ${segment_start_s} ${requested_kbps}`;

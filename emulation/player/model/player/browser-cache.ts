import type { Decision } from '../../../../src/decision.ts';

/** How a segment arrived when it was first loaded over the network. */
export interface NetworkArrival {
  readonly bytes: number;
  readonly receiving_ms: number;
}

/** The browser's cache of segments. A URL with another pace is another entry (`rtp` in the query). */
export class BrowserCache {
  readonly #entries = new Map<string, NetworkArrival>();

  /** Undefined if the segment is not cached. */
  get(decision: Decision): NetworkArrival | undefined {
    return this.#entries.get(getKey(decision));
  }

  add(decision: Decision, came: NetworkArrival): void {
    this.#entries.set(getKey(decision), came);
  }
}

const getKey = ({ media_type, representation, segment_start_s, requested_kbps }: Decision): string =>
  `${media_type} ${representation} ${segment_start_s} ${requested_kbps}`;

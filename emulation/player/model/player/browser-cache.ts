import type { Decision } from '../../../../src/decision.ts';

/** How a segment arrived when it was first loaded over the network. */
export interface NetworkArrival {
  readonly bytes: number;
  readonly receiving_ms: number;
}

/**
 * The browser's cache of segments. The same segment with another pace has another URL (`rtp` is in the query), so it is
 * another entry.
 */
export class BrowserCache {
  readonly #entries = new Map<string, NetworkArrival>();

  /** How a segment arrived; undefined if the segment is not cached. */
  get(decision: Decision): NetworkArrival | undefined {
    return this.#entries.get(getKey(decision));
  }

  add(decision: Decision, came: NetworkArrival): void {
    this.#entries.set(getKey(decision), came);
  }
}

const getKey = ({ media_type, representation, segment_start_s, requested_kbps }: Decision): string =>
  `${media_type} ${representation} ${segment_start_s} ${requested_kbps}`;

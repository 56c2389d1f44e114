import type { Receipt } from '../../../../src/wire/receipt.ts';

/** A request of the player to the server. */
export interface SegmentRequest {
  readonly representation: string;
  /** The index of the segment; null for the initialization segment. */
  readonly segment: number | null;
  /** The size in the video's sidecar; approximate for an initialization segment. */
  readonly size_bytes: number;
  readonly pace_kbps: number | null;
  /** Whether the browser has the segment cached and only revalidates it. */
  readonly cached: boolean;
}

/** A response in progress, as the client receives it. */
export interface Arrival {
  readonly size_bytes: number;
  /** The arrival time of the first byte; NaN until it has arrived. */
  readonly first_ms: number;
  /** The arrival time of the last byte; Infinity until it is known. */
  readonly ends_ms: number;
  /** The bytes that the client has received in order by a time. */
  arrivedBy(time_ms: number): number;
  /**
   * Whether nothing has arrived since a time, as after a lost packet. A browser then reports no progress, and dash.js
   * does not check the download. Not defined for a simulated wire, on which bytes flow continuously.
   */
  isSilentSince?(time_ms: number): boolean;
}

export interface Fetch {
  readonly transfer: Arrival;
  /** The edge's receipt for the response; fields that are not known yet are missing. */
  readonly receipt: Receipt;
  /**
   * The duration of the request without its pace, ms, if the simulated wire computes it. Only for evaluating
   * predictions afterwards: the player and the decision records do not use it.
   */
  readonly unpaced_ms?: number | undefined;
  /** Marks the response as complete: its connection is free for the next request. */
  release(): void;
  /** Aborts the response and closes its connection. */
  abort(now_ms: number): void;
}

/** The transport of the player's requests: simulated TCP, or the kernel's TCP. */
export interface Wire {
  fetch(asked: SegmentRequest, now_ms: number): Fetch;
}

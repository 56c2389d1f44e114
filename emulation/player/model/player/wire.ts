import type { Receipt } from '../../../../src/wire/receipt.ts';

/** A request of the player to the server. */
export interface SegmentRequest {
  readonly representation: string;
  /** The index of the segment; null for the initialization segment. */
  readonly segment: number | null;
  /** The size in the video's sidecar; approximate for an initialization segment. */
  readonly size_bytes: number;
  readonly pace_kbps: number | null;
  /** Whether the browser has the segment cached and only revalidates. */
  readonly cached: boolean;
}

/** A response in progress, from the client's view. */
export interface Arrival {
  readonly size_bytes: number;
  /** The arrival time of the first byte; NaN until then. */
  readonly first_ms: number;
  /** The arrival time of the last byte; Infinity until it is known. */
  readonly ends_ms: number;
  /** The bytes that the client has received in order by a time. */
  arrivedBy(time_ms: number): number;
  /**
   * Whether nothing has arrived since then, as after a lost packet: a browser then reports no progress, and dash.js does not
   * check the download. Not defined for a simulated wire, on which bytes flow continuously.
   */
  isSilentSince?(time_ms: number): boolean;
}

export interface Fetch {
  readonly transfer: Arrival;
  /** The edge's receipt for the response; fields that are not known yet are missing. */
  readonly receipt: Receipt;
  /**
   * The duration of the request without its pace, ms, if the simulated wire computes this. Only for evaluating predictions
   * afterwards: neither the player nor a decision's record uses the value.
   */
  readonly unpaced_ms?: number | undefined;
  /** Marks the response as complete: its connection is free for the next request. */
  release(): void;
  /** Aborts the response and closes its connection. */
  abort(now_ms: number): void;
}

/** The transport of the player's requests: simulated TCP, or the kernel's. */
export interface Wire {
  fetch(asked: SegmentRequest, now_ms: number): Fetch;
}

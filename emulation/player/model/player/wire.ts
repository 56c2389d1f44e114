import type { Receipt } from '../../../../src/wire/receipt.ts';

/** What the player asks the server for. */
export interface SegmentRequest {
  readonly representation: string;
  /** The index of the segment; null for the initialization segment. */
  readonly segment: number | null;
  /** As the film's sidecar says; of the initialization segment about. */
  readonly size_bytes: number;
  readonly pace_kbps: number | null;
  /** The browser has it, and asks only whether it is still valid. */
  readonly cached: boolean;
}

/** A response under way, as the client sees it. */
export interface Arrival {
  readonly size_bytes: number;
  /** When its first byte was there; NaN before. */
  readonly first_ms: number;
  /** When its last byte is there; Infinity before that is known. */
  readonly ends_ms: number;
  /** What the client has seen by a time, in order. */
  arrivedBy(time_ms: number): number;
  /**
   * Whether nothing has arrived since then, as behind a lost packet: a browser then tells of no progress, and dash.js does not
   * look at the download. A simulated wire, on which bytes flow, does not say.
   */
  silentSince?(time_ms: number): boolean;
}

export interface Fetch {
  readonly transfer: Arrival;
  /** The edge's, of the response; what is not known yet is not in it. */
  readonly receipt: Receipt;
  /**
   * What it would have taken without its pace, ms, where a simulated wire was asked to find out. It is for those who judge
   * predictions afterwards: neither the player nor a decision's record knows of it.
   */
  readonly unpaced_ms?: number | undefined;
  /** All of it is there: its connection is free for the next request. */
  done(): void;
  /** Hangs up, which takes the connection with it. */
  giveUp(now_ms: number): void;
}

/** What carries the player's requests: TCP as it is simulated, or the kernel's. */
export interface Wire {
  fetch(asked: SegmentRequest, now_ms: number): Fetch;
}

import type { Outcome } from '../decision.ts';
import type { Receipt } from '../wire/receipt.ts';

/** The result of a request. */
export interface Transfer {
  readonly outcome: Outcome;
  /** HTTP status; 0 without a response, 408 if the request was canceled because no bytes arrived. */
  readonly status?: number | undefined;
  readonly size_bytes: number;
  /** Time from sending the request to the last byte. */
  readonly download_ms: number;
  /** Time from the player's request until the request was sent, if known. */
  readonly waited_ms?: number | undefined;
  /** Seconds of content that were played since the player's request, if known. */
  readonly advanced_s?: number | undefined;
  /** Download time without waits for the encoder of low-latency live, if known. */
  readonly receiving_ms?: number | undefined;
  readonly receipt: Receipt;
  /** Scheme, host and port of the requested URL, if known. */
  readonly origin?: string | undefined;
  /** Scheme, host and port of the response's URL, if known. */
  readonly answered_by?: string | undefined;
  /** Whether the response came from the browser's cache; undefined if the browser does not report that. */
  readonly from_cache?: boolean | undefined;
}

import type { Outcome } from '../decision.ts';
import type { Receipt } from '../wire/receipt.ts';

/** How a request ended. */
export interface Transfer {
  readonly outcome: Outcome;
  /** HTTP status; 0 without a response, 408 if the request was given up because no bytes arrived. */
  readonly status?: number | undefined;
  readonly size_bytes: number;
  /** From sending the request to the last byte. */
  readonly download_ms: number;
  /** Before that, from the player's request to its sending, where the player can tell. */
  readonly waited_ms?: number | undefined;
  /** Seconds of the presentation that were played since the player's request, if the player can tell. */
  readonly advanced_s?: number | undefined;
  /** Without the waits for the encoder of low-latency live, where the player can tell. */
  readonly receiving_ms?: number | undefined;
  readonly receipt: Receipt;
  /** Scheme, host and port that the request went to, where the player tells. */
  readonly origin?: string | undefined;
  /** Scheme, host and port that the response came from, if the player can tell. */
  readonly answered_by?: string | undefined;
  /** The browser had it in its cache; undefined where the browser does not tell. */
  readonly from_cache?: boolean | undefined;
}

import type { IndexedSegment } from './index-sizes.ts';

/** Data about the requested representation that is missing from the ladder. */
export interface RepresentationFacts {
  readonly id: string;
  /** Bitrate in bit/s; NaN if unknown. */
  readonly bandwidth: number;
  readonly segments?: readonly IndexedSegment[] | null | undefined;
}

/** Data about a response that has ended, successfully or not. */
export interface ResponseFacts {
  readonly status: number;
  /** URL of the response, if the request was redirected. */
  readonly url?: string | null | undefined;
  readonly size_bytes: number;
  readonly aborted: boolean;
  /** Time in which bytes arrived, as measured by dash.js: in low-latency live without waiting for the encoder. */
  readonly receiving_ms?: number | undefined;
  /** Start time of the last attempt, ms of the page's clock, if dash.js did not report an earlier attempt. */
  readonly since?: number | undefined;
  readonly header: (name: string) => string | undefined;
}

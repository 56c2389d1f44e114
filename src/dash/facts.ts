import type { IndexedSegment } from './index-sizes.ts';

/** Facts about the representation of a request that the ladder does not have. */
export interface RepresentationFacts {
  readonly id: string;
  /** Bitrate in bit/s; NaN if the player does not report it. */
  readonly bandwidth: number;
  readonly segments?: readonly IndexedSegment[] | null | undefined;
}

/** Facts about a response that has ended, successfully or not. */
export interface ResponseFacts {
  readonly status: number;
  /** URL of the response, if the request was redirected. */
  readonly url?: string | null | undefined;
  readonly size_bytes: number;
  readonly aborted: boolean;
  /** Time in which bytes arrived, as measured by dash.js: in low-latency live without waiting for the encoder. */
  readonly receiving_ms?: number | undefined;
  /** When the last attempt began, ms of the page, if there was one before it that dash.js did not report. */
  readonly since?: number | undefined;
  readonly header: (name: string) => string | undefined;
}

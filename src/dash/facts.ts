import type { IndexedSegment } from './index-sizes.ts';

/** What is known about the representation of a request, apart from the ladder. */
export interface RepresentationFacts {
  readonly id: string;
  /** bit/s; not a number where the player does not tell. */
  readonly bandwidth: number;
  readonly segments?: readonly IndexedSegment[] | null | undefined;
}

/** What is known about a response when it has ended, successfully or not. */
export interface ResponseFacts {
  readonly status: number;
  /** Where it came from, if the request was redirected. */
  readonly url?: string | null | undefined;
  readonly size_bytes: number;
  readonly aborted: boolean;
  /** Time in which bytes arrived, as measured by dash.js: in low-latency live without waiting for the encoder. */
  readonly receiving_ms?: number | undefined;
  /** When the last attempt began, ms of the page, if there was one before it that dash.js did not report. */
  readonly since?: number | undefined;
  readonly header: (name: string) => string | undefined;
}

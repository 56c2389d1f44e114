import type { AbrChoice } from '../abr/abr.ts';
import type { Progress } from '../session/abandon.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import type { ResolvedOptions } from '../options.ts';
import type { Kbps } from '../units.ts';
import type { IndexedSegment } from './index-sizes.ts';
import type { FragmentRequest, MediaRequest } from './player.ts';

/** What is known about the representation of a request, apart from the ladder. */
export interface RepresentationFacts {
  readonly id: string;
  readonly segments?: readonly IndexedSegment[] | null | undefined;
}

/** The functions that the installer of every dash.js version calls, inside `guarded`. */
export interface Hooks {
  /**
   * Returns the result of `action`, of what dash.js asks for or reports. If it throws, warns that `what` failed, leaves the
   * choice of rungs to dash.js from then on, and returns undefined, so that the video does not stop.
   */
  guarded<T>(what: string, action: () => T): T | undefined;
  /** Returns the rung for the next segment, or undefined to leave the choice to dash.js. */
  chooseRung(mediaType: MediaType, ladder: Ladder): AbrChoice | undefined;
  /** Returns the rung at which to download the segment in flight again, or undefined to let it continue. */
  chooseAbandonment(
    request: MediaRequest,
    ladder: Ladder,
    current: Rung,
    progress: Progress,
  ): Rung | undefined;
  /** Returns the pace to ask for: null for no pace, undefined to leave the request's CMCD unchanged. */
  requested(
    request: MediaRequest,
    ladder: Ladder | undefined,
    representation: RepresentationFacts,
  ): Kbps | null | undefined;
  /** Called when a response has ended, successfully or not. */
  responded(request: FragmentRequest, response: ResponseFacts): void;
  /** The estimate of the network's throughput; undefined while nothing is known. */
  estimate(mediaType: MediaType): Kbps | undefined;
  /** The present options. With `abr: 'player'` dash.js's own rules choose the rungs. */
  options(): ResolvedOptions;
}

export interface ResponseFacts {
  readonly status: number;
  readonly size_bytes: number;
  readonly aborted: boolean;
  /** Time in which bytes arrived, as measured by dash.js: in low-latency live without waiting for the encoder. */
  readonly receiving_ms?: number | undefined;
  /** How long the last attempt took, if there was one before it that dash.js did not report. */
  readonly retried_ms?: number | undefined;
  header(name: string): string | null;
}

/** Sammy, as installed in a player of one dash.js version. */
export interface Installation {
  /** Called when options or the session have changed. */
  refresh(): void;
  /** Removes everything that was installed. */
  uninstall(): void;
}

import type { AbrChoice } from '../abr/abr.ts';
import type { Progress } from '../session/abandon.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import type { Kbps } from '../units.ts';
import type { IndexedSegment } from './index-sizes.ts';
import type { FragmentRequest } from './player.ts';

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
    request: FragmentRequest,
    ladder: Ladder,
    current: Rung,
    progress: Progress,
  ): Rung | undefined;
  /** Returns the pace to ask for: null for no pace, undefined to leave the request's CMCD unchanged. */
  requested(
    request: FragmentRequest,
    ladder: Ladder | undefined,
    representation: RepresentationFacts,
  ): Kbps | null | undefined;
  /** Called when a response has ended, successfully or not. */
  responded(request: FragmentRequest, response: ResponseFacts): void;
  /** The estimate of the network's throughput; undefined while nothing is known. */
  estimate(mediaType: MediaType): Kbps | undefined;
  /** The option `cmcd`: how `rtp` is sent. */
  cmcdMode(): 'query' | 'header';
  /** Whether the option `abr` is `'player'`, so that dash.js's own rules choose the rungs. */
  playerChooses(): boolean;
}

export interface ResponseFacts {
  readonly status: number;
  readonly size_bytes: number;
  readonly aborted: boolean;
  /** Time in which bytes arrived, as measured by dash.js: in low-latency live without waiting for the encoder. */
  readonly receiving_ms?: number | undefined;
  /** When the last attempt began, in versions of dash.js that do not report the attempts before it. */
  readonly began?: Date | undefined;
  header(name: string): string | null;
}

/** Sammy, as installed in a player of one dash.js version. */
export interface Installation {
  /** Called when options or the session have changed. */
  refresh(): void;
  /** Removes everything that was installed. */
  uninstall(): void;
}

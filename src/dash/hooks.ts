import type { AbrChoice } from '../abr/abr.ts';
import type { Progress } from '../session/abandon.ts';
import type { MediaType } from '../session/decision.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import type { Kbps } from '../units.ts';
import type { IndexedSegment } from './index-sizes.ts';
import type { FragmentRequest } from './player.ts';

/** What is known of a request's representation beside the ladder. */
export interface RepresentationFacts {
  readonly id: string;
  readonly segments?: readonly IndexedSegment[] | null | undefined;
}

/** What a dash.js version's installer calls; the same for every version. Nothing here throws. */
export interface Hooks {
  /** The rung for the next segment; undefined leaves the choice to dash.js. */
  chooseRung(mediaType: MediaType, ladder: Ladder): AbrChoice | undefined;
  /** The rung to begin the segment in flight anew with; undefined lets it go on. */
  chooseAbandonment(
    request: FragmentRequest,
    ladder: Ladder,
    current: Rung,
    progress: Progress,
  ): Rung | undefined;
  /** The pace to ask for: null for none, undefined to leave the request's CMCD alone. */
  requested(
    request: FragmentRequest,
    ladder: Ladder | undefined,
    representation: RepresentationFacts,
  ): Kbps | null | undefined;
  /** A response has ended, one way or the other. */
  responded(request: FragmentRequest, response: ResponseFacts): void;
  /** What the network carries, as far as it is known. */
  estimate(mediaType: MediaType): Kbps | undefined;
  /** Of the options: how `rtp` is to travel. */
  cmcdMode(): 'query' | 'header';
  /** Of the options: dash.js's own rules stay in charge. */
  playerChooses(): boolean;
}

export interface ResponseFacts {
  readonly status: number;
  readonly size_bytes: number;
  readonly aborted: boolean;
  /** dash.js's account of the time in which bytes came, without its waits for the encoder of low-latency live. */
  readonly receiving_ms?: number | undefined;
  /** When the attempt that succeeded began, where dash.js keeps those before to itself. */
  readonly began?: Date | undefined;
  header(name: string): string | null;
}

/** Puts Sammy into one version of dash.js. */
export interface Installation {
  /** Options have changed. */
  refresh(): void;
  /** Takes everything out again. */
  uninstall(): void;
}

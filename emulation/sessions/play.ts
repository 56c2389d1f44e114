import type { CompletedDecision, SammyOptions, SessionSummary } from '../../src/index.ts';

/** What the page is asked to play. */
export interface Play {
  readonly arm: string;
  /** On top of the arm's options. */
  readonly sammy: Pick<SammyOptions, 'c0' | 'c1' | 'beta' | 'lookahead_s'>;
  readonly manifest: string;
  readonly sidecar: string;
  readonly seconds: number;
  /** What dash.js fills its buffer up to; its own when not given. */
  readonly buffer_s?: number;
  /** What the viewer's earlier sessions measured, kbit/s, the latest last: the plug-in remembers all, dash.js the latest. */
  readonly history?: readonly number[];
}

/** What a session was. Times without an epoch count from the request for playback. */
export interface Played {
  /** ms since 1970. */
  readonly requestedAt_ms: number;
  /** ms since 1970; null if it never began. */
  readonly playingAt_ms: number | null;
  readonly summary: SessionSummary;
  readonly decisions: readonly CompletedDecision[];
  /** [t_s, buffer_s] */
  readonly buffer: readonly (readonly [number, number])[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  /** The same for the next session. */
  readonly history: readonly number[];
}

/** The page's side, on `window`. */
export interface LabPage {
  play(play: Play): Promise<Played>;
}

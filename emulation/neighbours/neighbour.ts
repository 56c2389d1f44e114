import type { Page } from '@playwright/test';
import type { Measured } from '../metrics.ts';
import type { LabProgram } from '../programs/program.ts';

/** What a neighbour may use. Its server is outside, as the edge is; its client inside, behind the same link. */
export interface NeighbourContext {
  /** The address at which the outside is reached from inside. Listen at 0.0.0.0. */
  readonly outsideHost: string;
  /** Starts a program of this folder inside (a TypeScript file's name, with string arguments): see startLabProgram. */
  startInside(program: URL, args: readonly string[]): LabProgram;
  /**
   * Opens a page inside in another browser of the same build, in a context of its own, so that nothing is cached;
   * `page.context().close()` ends it. Only for a neighbour that is a video itself.
   */
  openPage(url: string): Promise<Page>;
  /** A page that has `window.dashjs`, and the film for it. */
  readonly videoPageUrl: string;
  readonly manifestUrl: string;
  /** ms on the clock of `performance.timeOrigin + performance.now()`, which all processes of the machine share. */
  now(): number;
}

/** When a chunk of the session was in flight, in s since the request for playback. */
export interface Flight {
  readonly from_s: number;
  readonly to_s: number;
}

/** What a session was, for its neighbour. */
export interface NeighbourSession {
  /** When its playback was requested, on the context's clock. */
  readonly requestedAt_ms: number;
  readonly seconds: number;
  /** In any order; those of video and audio may overlap. */
  readonly flights: readonly Flight[];
}

export interface NeighbourResult {
  readonly metrics: Measured;
  /** Rows with `t_s` first, for neighbour.csv; the first row is the header. */
  readonly csv: readonly (readonly (string | number)[])[];
}

export interface RunningNeighbour {
  /** The session's playback has begun. Some neighbours start so long after it. */
  playing(): void;
  /** The session is over. Throws an Error of one line when the neighbour failed in the meantime. */
  finish(session: NeighbourSession): Promise<NeighbourResult>;
  /** Ends everything, also after a failure; called in any case. */
  close(): Promise<void>;
}

/** Something else on the link: to add one is to add a file and a line in index.ts. */
export interface Neighbour {
  readonly name: string;
  readonly about: string;
  /** Resolves when it is ready, before playback is requested. A failure leaves nothing behind. */
  start(context: NeighbourContext): Promise<RunningNeighbour>;
}

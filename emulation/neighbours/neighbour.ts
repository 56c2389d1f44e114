import type { CompletedDecision } from '../../src/index.ts';
import type { Measured } from '../metrics.ts';

/** What a neighbour may use. Its server is outside, as the edge is; its client inside, behind the same link. */
export interface NeighbourContext {
  /** The address at which the outside is reached from inside. Listen at 0.0.0.0. */
  readonly outsideHost: string;
  /**
   * Starts a program of this folder inside (a TypeScript file's name, with string arguments); what it sends with
   * `process.send` goes to `onMessage`. It ends with the run at the latest.
   */
  startInside(file: string, args: readonly string[], onMessage: (message: unknown) => void): InsideProgram;
  /** Opens a page inside in another browser of the same build; only for a neighbour that is a video itself. */
  openPage?(url: string): Promise<import('@playwright/test').Page>;
  /** ms on the clock of `performance.timeOrigin + performance.now()`, which all processes of the machine share. */
  now(): number;
}

export interface InsideProgram {
  send(message: object): void;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** When a chunk of the session was in flight, in s since the request for playback. */
export interface Flight {
  readonly from_s: number;
  readonly to_s: number;
}

export interface NeighbourResult {
  readonly metrics: Measured;
  /** Rows with `t_s` first, for neighbour.csv; the first row is the header. */
  readonly csv: readonly (readonly (string | number)[])[];
}

export interface RunningNeighbour {
  /** The session's playback has begun. Some neighbours start so long after it. */
  playing(): void;
  /** The session is over; `requestedAt_ms` is when its playback was requested, on the context's clock. */
  finish(session: {
    readonly requestedAt_ms: number;
    readonly seconds: number;
    readonly decisions: readonly CompletedDecision[];
    readonly flights: readonly Flight[];
  }): Promise<NeighbourResult>;
  /** Ends everything, also after a failure; called in any case. */
  close(): Promise<void>;
}

/** Something else on the link: to add one is to add a file and a line in index.ts. */
export interface Neighbour {
  readonly name: string;
  readonly about: string;
  start(context: NeighbourContext): Promise<RunningNeighbour>;
}

import type { Page } from '@playwright/test';
import type { MetricDeclaration } from '../../network/measure/metric.ts';
import type { LabProgram } from '../../ground/programs/program.ts';

/**
 * The services that the lab provides to a neighbor. The neighbor's server is outside, like the edge; its client is
 * inside, behind the same link.
 */
export interface NeighborContext {
  /** The address of the outside, as seen from inside. Listen on 0.0.0.0. */
  readonly outsideHost: string;
  /** Starts a TypeScript program of the neighbor inside, with these arguments. See `startLabProgram`. */
  startInside(program: URL, args: readonly string[]): LabProgram;
  /**
   * Opens a page inside, in another browser of the same build with an empty cache. Close it with
   * `page.context().close()`. Only for a neighbor that plays a video.
   */
  openPage(url: string): Promise<Page>;
  /** The URL of a page that has `window.dashjs`. */
  readonly videoPageUrl: string;
  /** The URL of the video's manifest. */
  readonly manifestUrl: string;
  /**
   * The time in ms on the clock of `performance.timeOrigin + performance.now()`, which all processes of the machine
   * share.
   */
  now(): number;
}

/** When a chunk of the session was in flight, in s since the request for playback. */
export interface Flight {
  readonly from_s: number;
  readonly to_s: number;
}

/** Data about the session that a neighbor needs for its result. */
export interface NeighborSession {
  /** When the session's playback was requested, on the clock of `NeighborContext.now`. */
  readonly requestedAt_ms: number;
  readonly seconds: number;
  /** The flights in any order. Those of video and audio may overlap. */
  readonly flights: readonly Flight[];
}

/** The result of a neighbor: for every declared metric its value, or null if there was nothing to measure. */
export interface NeighborResult<Name extends string> {
  readonly metrics: Readonly<Record<Name, number | null>>;
  /** Rows with `t_s` first, for neighbor.csv; the first row is the header. */
  readonly csv: readonly (readonly (string | number)[])[];
}

export interface RunningNeighbor<Name extends string = string> {
  /** Called when the session's playback has begun. Some neighbors start a fixed time later. */
  playbackStarted(): void;
  /** Called when the session is over. Throws an Error of one line if the neighbor failed in the meantime. */
  finish(session: NeighborSession): Promise<NeighborResult<Name>>;
  /** Ends everything. Always called, even after a failure. */
  close(): Promise<void>;
}

/** The paper's result with a neighbor of this kind: Sammy compared with its own control (Sammy §6, Figure 8). */
export interface PaperOutcome {
  readonly change_pct: number;
  /** The absolute values, in the metric's unit, if the paper states them. */
  readonly control?: number;
  readonly treatment?: number;
  readonly reference: string;
  /** The paper's statement, if it is not a percent change. */
  readonly note?: string;
}

/** The neighbor's bar chart in the report. */
export interface NeighborBars<Name extends string> {
  readonly title: string;
  /** The neighbor's main metric, over the whole session. The report also shows the paper's value. */
  readonly whole: Name;
  /**
   * The same metric while a chunk of the session was in flight. It covers different times in different arms, because a
   * paced chunk is in flight for longer. It is therefore shown only in addition to `whole`.
   */
  readonly inFlight: Name;
  readonly paper?: PaperOutcome;
}

/** A source of other traffic on the link. To add one, add a folder and a line in index.ts. */
export interface Neighbor<Name extends string = string> {
  readonly name: string;
  readonly about: string;
  /** The metrics by name, in the order of the report's table. */
  readonly metrics: Readonly<Record<Name, MetricDeclaration>>;
  readonly bars: NeighborBars<NoInfer<Name>>;
  /**
   * Starts the neighbor before playback is requested, and resolves when the neighbor is ready. Stops everything that it
   * started if it fails.
   */
  start(context: NeighborContext): Promise<RunningNeighbor<Name>>;
}

/**
 * Returns its argument, and checks its types: declaring a metric that is not measured, or measuring one that is not
 * declared, is a compile error.
 */
export const defineNeighbor = <const Name extends string>(neighbor: Neighbor<Name>): Neighbor<Name> =>
  neighbor;

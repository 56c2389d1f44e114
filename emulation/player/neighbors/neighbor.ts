import type { Page } from '@playwright/test';
import type { MetricDeclaration } from '../../network/measure/metric.ts';
import type { LabProgram } from '../../ground/programs/program.ts';

/** What a neighbor may use. Its server is outside, as the edge is; its client inside, behind the same link. */
export interface NeighborContext {
  /** The address at which the outside is reached from inside. Listen at 0.0.0.0. */
  readonly outsideHost: string;
  /** Starts a program of this folder inside (a TypeScript file's name, with string arguments): see startLabProgram. */
  startInside(program: URL, args: readonly string[]): LabProgram;
  /**
   * Opens a page inside in another browser of the same build, in a context of its own, so that nothing is cached;
   * `page.context().close()` ends it. Only for a neighbor that is a video itself.
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

/** What a neighbor learns of the session beside it. */
export interface NeighborSession {
  /** When its playback was requested, on the context's clock. */
  readonly requestedAt_ms: number;
  readonly seconds: number;
  /** In any order; those of video and audio may overlap. */
  readonly flights: readonly Flight[];
}

/** What a neighbor measured: a value, or null where there was nothing to measure, for every metric it declares. */
export interface NeighborResult<Name extends string> {
  readonly metrics: Readonly<Record<Name, number | null>>;
  /** Rows with `t_s` first, for neighbour.csv; the first row is the header. */
  readonly csv: readonly (readonly (string | number)[])[];
}

export interface RunningNeighbor<Name extends string = string> {
  /** The session's playback has begun. Some neighbors start so long after it. */
  playing(): void;
  /** The session is over. Throws an Error of one line when the neighbor failed in the meantime. */
  finish(session: NeighborSession): Promise<NeighborResult<Name>>;
  /** Ends everything, also after a failure; called in any case. */
  close(): Promise<void>;
}

/** What the paper measured beside such a neighbor: Sammy against its own control (Sammy §6, Figure 8). */
export interface PaperOutcome {
  readonly change_pct: number;
  /** Where the paper gives them, in the metric's unit. */
  readonly control?: number;
  readonly treatment?: number;
  readonly reference: string;
  /** What the paper says of it, where that is not a percent change. */
  readonly note?: string;
}

/** The neighbor's picture in the report. */
export interface NeighborBars<Name extends string> {
  readonly title: string;
  /** Over the whole session: the neighbor's headline, and what the paper's figure stands beside. */
  readonly whole: Name;
  /**
   * The same while a chunk of the session was in flight. It covers different times in different arms, since a paced
   * chunk is in flight for longer, and is shown beside the first, never instead of it.
   */
  readonly inFlight: Name;
  readonly paper?: PaperOutcome;
}

/** Something else on the link: to add one is to add a folder and a line in index.ts. */
export interface Neighbor<Name extends string = string> {
  readonly name: string;
  readonly about: string;
  /** What it measures; the names are the keys, the order is that of the report's table. */
  readonly metrics: Readonly<Record<Name, MetricDeclaration>>;
  readonly bars: NeighborBars<NoInfer<Name>>;
  /** Resolves when it is ready, before playback is requested. A failure leaves nothing behind. */
  start(context: NeighborContext): Promise<RunningNeighbor<Name>>;
}

/**
 * Returns the neighbor as it is. The compiler takes the names from the declared metrics and from the results alike:
 * where the metrics are listed in the call, one that is declared but not measured, or measured but not declared, does
 * not compile.
 */
export const defineNeighbor = <const Name extends string>(neighbor: Neighbor<Name>): Neighbor<Name> =>
  neighbor;

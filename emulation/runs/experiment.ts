import type { OnProgress } from '../../system/progress.ts';

/**
 * An experiment of any kind: what it is, which runs it asks for, how one is made, and what is drawn from them. Planning
 * in rounds, resuming, repeating, sharding, Ctrl-C and the manifest are the harness's, the same for all.
 */
export interface Experiment<Has extends Settings = Settings> {
  readonly name: string;
  /** One line for `lab list`. */
  readonly about: string;
  /** What of the paper it repeats, such as `Sammy Figure 7`. */
  readonly figure: string;
  /** What is asked for, on top of `before`, the settings of what is resumed. Throws an Error for what it has not. */
  plan(asked: Asked, before?: Has): Plan<Has>;
  /** Gets ready what all runs share, and returns what makes one. */
  make(settings: Has, workshop: Workshop): Promise<Making>;
  /** Writes `summary.json` and `report.html` from what is finished in `outDir`, all runs or some. */
  report(outDir: string): void;
}

/** What is run, in plain data: it stands in the manifest, and what is resumed or merged has the same. */
export interface Settings {
  readonly name: string;
  readonly about: string;
  readonly figure: string;
  /** Of each cell. */
  readonly runs: number;
  /** Of each run. */
  readonly seconds: number;
}

/** The command line's words for what an experiment can be asked for; a kind refuses those that it has not. */
export interface Asked {
  readonly runs?: number | undefined;
  readonly seconds?: number | undefined;
  readonly lanes?: number | undefined;
  readonly arms?: readonly string[] | undefined;
  readonly conditions?: readonly string[] | undefined;
  readonly switch?: string | undefined;
  readonly edge?: string | undefined;
  readonly rate?: string | undefined;
  readonly rtt_ms?: number | undefined;
  readonly queue_bytes?: number | undefined;
}

export interface Plan<Has extends Settings = Settings> {
  readonly settings: Has;
  /** All of them; the harness puts them in order. */
  readonly runs: readonly PlannedRun[];
  /** The file that stands in the folder of every finished run. */
  readonly record: string;
  /** What `t_s` and the fields mean, for the manifest. */
  readonly units: string;
  /** What one run takes beyond its seconds, about: links, calibration, browsers, reading logs. */
  readonly overhead_s: number;
}

/** One run that an experiment asks for. */
export interface PlannedRun {
  /** Its folder is `runs/<cell>/<k>`. */
  readonly cell: string;
  /** From 1 on; each k is one round. */
  readonly k: number;
  /**
   * Runs of the same group are made on the same machine: those that are compared with each other, or that need what the
   * one before them left.
   */
  readonly group: string;
}

/** What a kind of experiment gets from the harness. */
export interface Workshop {
  readonly outDir: string;
  readonly print: OnProgress;
  /** For what `make` started or made, once no more run is wanted. */
  readonly onClose: (end: () => unknown) => void;
}

export interface Making {
  /** Of what only this kind has, beside the harness's own, such as the film. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Makes one run into a folder of its own, which is there; `signal` gives it up. */
  run(run: PlannedRun, folder: string, signal: AbortSignal): Promise<RunOutcome>;
}

/**
 * What comes of it: a run on a link that was not as asked for is no result, nor one that failed. One on a busy machine
 * is whole, and is a result only, marked as such in its record, when the machine does not become quiet.
 */
export type RunOutcome =
  | { readonly kind: 'finished' }
  | { readonly kind: 'busy'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** The reason of a run that was given up. */
export const ENDED_EARLY = 'ended early';

/** `<cell>/<k>`, as people read it and as the manifest lists it. */
export const runName = ({ cell, k }: Pick<PlannedRun, 'cell' | 'k'>): string => `${cell}/${k}`;

/** Below the folder of the results. */
export const runPath = ({ cell, k }: Pick<PlannedRun, 'cell' | 'k'>): string[] => ['runs', cell, String(k)];

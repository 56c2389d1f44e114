import type { AskedLink } from '../links/read-link.ts';
import type { OnProgress } from '../../system/progress.ts';

/**
 * An experiment of any kind: what it is, which runs it asks for, how one is made, and what is drawn from them. Planning
 * in rounds, resuming, repeating, sharding, Ctrl-C and the manifest are the harness's, the same for all.
 */
export interface Experiment<Has extends Settings = Settings> {
  readonly name: string;
  /** One line for `lab list`. */
  readonly about: string;
  /** The part of the paper that it repeats, such as `Sammy Figure 7`. */
  readonly figure: string;
  /** The action of `lab`, with its subject, that goes on with a folder of it; `run NAME` when not given. */
  readonly goesOnBy?: string;
  /** Plans the runs. `before` are the settings of a resumed folder. Throws an Error for an option that it does not have. */
  plan(asked: Asked, before?: Has): Plan<Has> | Promise<Plan<Has>>;
  /** Prepares what all runs share, and returns the means to make a run. */
  make(settings: Has, workshop: Workshop): Promise<Making>;
  /** Writes `summary.json` and `report.html` from what is finished in `outDir`, all runs or some; may be a promise. */
  report(outDir: string): unknown;
}

/** The settings as plain data. They are in the manifest, and must be equal in folders that are resumed or merged. */
export interface Settings {
  readonly name: string;
  readonly about: string;
  readonly figure: string;
  /** The number of runs of each cell. */
  readonly runs: number;
  /** The length of each run, s. */
  readonly seconds: number;
}

/** The command line's options for an experiment; a kind of experiment refuses those that it does not have. */
export interface Asked extends AskedLink {
  readonly runs?: number | undefined;
  readonly seconds?: number | undefined;
  readonly lanes?: number | undefined;
  readonly arms?: readonly string[] | undefined;
  readonly conditions?: readonly string[] | undefined;
  readonly switch?: string | undefined;
  readonly edge?: string | undefined;
  readonly viewers?: string | undefined;
  /** Only of `buffer-paper`: these figures. */
  readonly figures?: readonly number[] | undefined;
  /** Only of `buffer-paper`: congestion controls beside the paper's. */
  readonly congestion_controls?: readonly string[] | undefined;
  /** Only of `ab-lab`: where the switch drops, its buffer, and how many packets a sender may send back to back. */
  readonly drop_at?: string | undefined;
  readonly buffer_bdp?: string | undefined;
  readonly burst_packets?: number | undefined;
  /** Only of `ab-lab`: in virtual time, by the rules of this version of Linux. */
  readonly kernel?: string | undefined;
  /** The quick form of an experiment that has one. */
  readonly quick?: boolean | undefined;
}

export interface Plan<Has extends Settings = Settings> {
  readonly settings: Has;
  /** All runs; the harness puts them in order. */
  readonly runs: readonly PlannedRun[];
  /** The name of the file that is in the folder of every finished run. */
  readonly record: string;
  /** The meaning of `t_s` and the units of the fields, for the manifest. */
  readonly units: string;
  /** About the time that a run takes beyond its length, s: links, calibration, browsers, reading logs. */
  readonly overhead_s: number;
}

/** One run that an experiment asks for. */
export interface PlannedRun {
  /** Its folder is `runs/<cell>/<k>`. */
  readonly cell: string;
  /** The number of the run in its cell, from 1; runs of the same number form a round. */
  readonly k: number;
  /**
   * Runs of the same group are made on the same machine: those that are compared with each other, or that need what the
   * one before them left.
   */
  readonly group: string;
}

/** The harness's services for a kind of experiment. */
export interface Workshop {
  readonly outDir: string;
  readonly print: OnProgress;
  /** Registers a function that ends what `make` has started, called once no more runs are needed. */
  readonly onClose: (end: () => unknown) => void;
}

export interface Making {
  /** Versions of what only this kind of experiment uses, such as the film. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Cells that this machine cannot make, with the reason; they are left out, and `--resume` tries them again. */
  readonly skipped?: Readonly<Record<string, string>>;
  /** Makes one run and writes its files into `folder`, which exists. `signal` ends it early. */
  run(run: PlannedRun, folder: string, signal: AbortSignal): Promise<RunOutcome>;
}

/**
 * The outcome of a run. A run on a link that was not as requested is not a result, nor is one that failed. One on a busy
 * machine is complete, but is a result only if the machine does not become quiet; it is then marked in its record.
 */
export type RunOutcome =
  | { readonly kind: 'finished' }
  | { readonly kind: 'busy'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** The reason of a run that was ended early. */
export const ENDED_EARLY = 'ended early';

/** The name of a run, `<cell>/<k>`, in messages and in the manifest. */
export const runName = ({ cell, k }: Pick<PlannedRun, 'cell' | 'k'>): string => `${cell}/${k}`;

/** The path of a run's folder below that of the results. */
export const runPath = ({ cell, k }: Pick<PlannedRun, 'cell' | 'k'>): string[] => ['runs', cell, String(k)];

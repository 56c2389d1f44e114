import type { Options, ValuesOf } from '../../../system/command-line/command-line.ts';
import type { OnProgress } from '../../../system/progress.ts';
import type { Place } from './place.ts';

/**
 * A study: its options, the runs that they request, how a run is made, and the report. The harness does the rest for
 * all studies: planning in rounds, resuming, repeating, sharding, parallel runs, Ctrl-C, the manifest and the options
 * for these.
 */
export interface Study<O extends Options = Options, Has extends Settings = Settings> {
  readonly name: string;
  /** One line for `lab list`. */
  readonly about: string;
  /** The part of the paper that the study reproduces, such as `Sammy Figure 7`. */
  readonly figure: string;
  /** The `lab` command, with its argument, that resumes a folder of the study; `run NAME` by default. */
  readonly resumeCommand?: string;
  /** The study's own options, in addition to the options of the harness. */
  readonly options: O;
  /** The places where the study can run; the first is the default. */
  readonly places: readonly Place[];
  /** The name of the file that marks the folder of a finished run. */
  readonly record: string;
  /** The default number of parallel runs; 1 if not defined. */
  usualJobs?(place: Place): number;
  /**
   * Plans the runs. `before` holds the settings of a resumed folder. Throws an Error of one line for impossible
   * settings.
   */
  plan(asked: StudyRequest<O>, before?: Has): Plan<Has> | Promise<Plan<Has>>;
  /** Downloads the runs' requirements before they are made in a virtual machine, which has no network. */
  prepareOutside?(settings: Has, print: OnProgress): Promise<void>;
  /** Prepares what all runs share, and returns an object that makes runs. */
  make(settings: Has, context: RunContext<O>): Promise<Runner>;
  /**
   * Loads the modules of the report. Called before the first run, because Ctrl-C also ends the process that compiles
   * TypeScript, and no module can be loaded afterwards.
   */
  loadReport?(): Promise<unknown>;
  /** Writes `summary.json` and `report.html` from the finished runs in `outDir`; may return a promise. */
  report(outDir: string): unknown;
  /** The summary of the finished runs for the terminal; the path of the report by default. */
  outcome?(outDir: string): readonly string[] | Promise<readonly string[]>;
}

export const DEFAULT_SEED = 1;

/** The options that a study receives: the study's own, and those of the harness. */
export type StudyRequest<O extends Options = Options> = ValuesOf<O> & {
  /** Where to run; the study's default place if not given. */
  readonly place?: Place | undefined;
  /** The number of parallel runs; one if not given. */
  readonly jobs?: number | undefined;
  /**
   * The number of attempts at a run, of which the last is kept if the machine was busy in all; BUSY_ATTEMPTS if not
   * given.
   */
  readonly 'busy-attempts'?: number | undefined;
  readonly seed?: number | undefined;
};

/**
 * The settings as plain data. They are stored in the manifest, and must be equal in folders that are resumed or merged.
 */
export interface Settings {
  readonly name: string;
  readonly about: string;
  readonly figure: string;
  /** The number of runs per cell. */
  readonly runs: number;
  /** The length of each run, s. */
  readonly seconds: number;
}

export interface Plan<Has extends Settings = Settings> {
  readonly settings: Has;
  /** All runs, in any order. */
  readonly runs: readonly PlannedRun[];
  /** The meaning of `t_s` and the units of the fields, for the manifest. */
  readonly units: string;
  /**
   * Approximate time that a run takes in addition to its length, s: links, calibration, browsers, reading logs.
   * Negative if most runs are shorter than `settings.seconds`.
   */
  readonly overhead_s: number;
}

/** A run of a study's plan. */
export interface PlannedRun {
  /** The run's folder is `runs/<cell>/<k>`. */
  readonly cell: string;
  /** The number of the run in its cell, from 1; runs of the same number form a round. */
  readonly k: number;
  /**
   * Runs of the same group are made on the same machine. They are compared with each other, or need each other's
   * results.
   */
  readonly group: string;
  /** A run begins when all runs of lower stages are finished, because it needs their results; 0 if not given. */
  readonly stage?: number;
}

/** The services that the harness provides to a study that makes runs. */
export interface RunContext<O extends Options = Options> {
  readonly asked: StudyRequest<O>;
  readonly place: Place;
  readonly jobs: number;
  readonly seed: number;
  readonly outDir: string;
  readonly print: OnProgress;
  /** Registers a function that stops what `make` has started. It is called when no more runs are needed. */
  readonly onClose: (end: () => unknown) => void;
}

export interface Runner {
  /** The versions of things that only this study uses, such as the video. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Cells that this machine cannot make, with the reason; they are omitted, and `--resume` tries them again. */
  readonly skipped?: Readonly<Record<string, string>>;
  /** Makes one run and writes its files into `folder`, which exists. `signal` ends it early. */
  run(run: PlannedRun, folder: string, signal: AbortSignal): Promise<RunOutcome>;
  /** Called before a run is kept although the machine was busy in every attempt. */
  keptBusy?(folder: string, reason: string): void;
}

/**
 * The outcome of a run. A run that failed, or whose link was not as requested, is not a result. A run on a busy machine
 * is complete, but it is kept only when every retry was busy too, and its record then says so.
 */
export type RunOutcome =
  | { readonly kind: 'finished' }
  | { readonly kind: 'busy'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export const ENDED_EARLY = 'ended early';

/** The name of a run, `<cell>/<k>`, in messages and in the manifest. */
export const runName = ({ cell, k }: Pick<PlannedRun, 'cell' | 'k'>): string => `${cell}/${k}`;

/** Lists each cell `runs` times. By default, each run is a group of its own. */
export const everyRun = (
  runs: number,
  cells: readonly string[],
  getGroup: (run: Pick<PlannedRun, 'cell' | 'k'>) => string = runName,
): PlannedRun[] =>
  Array.from({ length: runs }, (_, index) =>
    cells.map((cell) => {
      const run = { cell, k: index + 1 };
      return { ...run, group: getGroup(run) };
    }),
  ).flat();

/** Finds the cell of a planned run by name. */
export function cellNamed<Cell>(cells: ReadonlyMap<string, Cell>, name: string): Cell {
  const cell = cells.get(name);
  if (cell === undefined) throw new Error(`there is no cell '${name}'`);
  return cell;
}

/** The path of a run's folder, relative to the results folder. */
export const runPath = ({ cell, k }: Pick<PlannedRun, 'cell' | 'k'>): string[] => ['runs', cell, String(k)];

import type { Options, ValuesOf } from '../../../system/command-line/command-line.ts';
import type { OnProgress } from '../../../system/progress.ts';
import type { Place } from './place.ts';

/**
 * A study: what it is, the options that it has, which runs they ask for, how one is made, and what is drawn from them. Planning
 * in rounds, resuming, repeating, sharding, running several at a time, Ctrl-C, the manifest and the options for these are the
 * harness's, the same for all.
 */
export interface Study<O extends Options = Options, Has extends Settings = Settings> {
  readonly name: string;
  /** One line for `lab list`. */
  readonly about: string;
  /** The part of the paper that it repeats, such as `Sammy Figure 7`. */
  readonly figure: string;
  /** The action of `lab`, with its subject, that goes on with a folder of it; `run NAME` when not given. */
  readonly goesOnBy?: string;
  /** Its own options, beside the harness's. */
  readonly options: O;
  /** Where it can run, the usual place first. */
  readonly places: readonly Place[];
  /** The name of the file that is in the folder of every finished run. */
  readonly record: string;
  /** The number of runs at a time when nothing is said; one when not given. */
  usualJobs?(place: Place): number;
  /** Where the runs of a folder were made, of manifests that do not say it; the usual place when not given. */
  placeBefore?(settings: Has): Place;
  /** Plans the runs. `before` are the settings of a resumed folder. Throws an Error of one line for what cannot be. */
  plan(asked: AskedOf<O>, before?: Has): Plan<Has> | Promise<Plan<Has>>;
  /** Gets what the runs need from the network, before a virtual machine, which has none, makes them. */
  prepareOutside?(settings: Has, print: OnProgress): Promise<void>;
  /** Prepares what all runs share, and returns the means to make a run. */
  make(settings: Has, context: RunContext<O>): Promise<Runner>;
  /** Writes `summary.json` and `report.html` from what is finished in `outDir`, all runs or some; may be a promise. */
  report(outDir: string): unknown;
  /** What the finished runs say, for the terminal; the path of the report when not given. */
  outcome?(outDir: string): readonly string[] | Promise<readonly string[]>;
}

/** The seed when none is given. */
export const DEFAULT_SEED = 1;

/** What is asked of a study: its own options, and what the harness knows. */
export type AskedOf<O extends Options = Options> = ValuesOf<O> & {
  /** The usual place when not given. */
  readonly place?: Place | undefined;
  /** The number of runs at a time; one when not given. */
  readonly jobs?: number | undefined;
  readonly seed?: number | undefined;
};

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

export interface Plan<Has extends Settings = Settings> {
  readonly settings: Has;
  /** All runs; the harness puts them in order. */
  readonly runs: readonly PlannedRun[];
  /** The meaning of `t_s` and the units of the fields, for the manifest. */
  readonly units: string;
  /**
   * About the time that a run takes beyond its length, s: links, calibration, browsers, reading logs. Negative where most runs are
   * shorter than `settings.seconds`.
   */
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
  /** A run begins when all runs of lower stages are finished, since it needs what they left; 0 when not given. */
  readonly stage?: number;
}

/** What the harness has for a study that makes runs. */
export interface RunContext<O extends Options = Options> {
  readonly asked: AskedOf<O>;
  readonly place: Place;
  readonly jobs: number;
  readonly seed: number;
  readonly outDir: string;
  readonly print: OnProgress;
  /** Registers a function that ends what `make` has started, called once no more runs are needed. */
  readonly onClose: (end: () => unknown) => void;
}

export interface Runner {
  /** Versions of what only this study uses, such as the film. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Cells that this machine cannot make, with the reason; they are left out, and `--resume` tries them again. */
  readonly skipped?: Readonly<Record<string, string>>;
  /** Makes one run and writes its files into `folder`, which exists. `signal` ends it early. */
  run(run: PlannedRun, folder: string, signal: AbortSignal): Promise<RunOutcome>;
  /** Called before a run is kept although the machine was busy, which it always was. */
  keptBusy?(folder: string, reason: string): void;
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

/** Each cell as often as `runs` says; `groupOf` when not given: each run by itself. */
export const everyRun = (
  runs: number,
  cells: readonly string[],
  groupOf: (run: Pick<PlannedRun, 'cell' | 'k'>) => string = runName,
): PlannedRun[] =>
  Array.from({ length: runs }, (_, index) =>
    cells.map((cell) => {
      const run = { cell, k: index + 1 };
      return { ...run, group: groupOf(run) };
    }),
  ).flat();

/** A cell of a study by its name, as a planned run has it. */
export function cellNamed<Cell>(cells: ReadonlyMap<string, Cell>, name: string): Cell {
  const cell = cells.get(name);
  if (cell === undefined) throw new Error(`there is no cell '${name}'`);
  return cell;
}

/** The path of a run's folder below that of the results. */
export const runPath = ({ cell, k }: Pick<PlannedRun, 'cell' | 'k'>): string[] => ['runs', cell, String(k)];

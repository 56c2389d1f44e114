import type { OptunaProgram } from '../../ground/programs/optuna.ts';
import { defineRun } from '../../harness/runs/run-program.ts';
import type { HiddenPathName } from './hidden-paths.ts';
import type { MeasuredPath } from './measured-paths.ts';
import type { Scenario } from './performance.ts';

export interface CalibrationSpec {
  readonly name: string;
  /** The name of a hidden path (hidden-paths.ts), or the measurements of a real path. */
  readonly path: HiddenPathName | MeasuredPath;
  readonly scenario: Scenario;
  /** The number of runs of each scheme by which a path or an emulator is judged. */
  readonly repeats: number;
  /** The number of trials of a search for all parameters; other searches have half as many. */
  readonly trials: number;
  /** Whether to run the leave-one-out and ablation searches too. */
  readonly thorough: boolean;
  readonly seed: number;
  readonly program: OptunaProgram;
  readonly folder: string;
}

export const calibrationRun = defineRun<CalibrationSpec>(new URL('calibrate-path.ts', import.meta.url));

import type { OptunaProgram } from '../../ground/programs/optuna.ts';
import { defineRun } from '../../harness/runs/run-program.ts';
import type { HiddenPathName } from './hidden-paths.ts';
import type { MeasuredPath } from './measured-paths.ts';
import type { Scenario } from './performance.ts';

export interface CalibrationSpec {
  /** The name of the path. */
  readonly name: string;
  /** A hidden path by its name, or what was measured of another one. */
  readonly path: HiddenPathName | MeasuredPath;
  readonly scenario: Scenario;
  /** The runs of each scheme by which a path or an emulator is judged. */
  readonly repeats: number;
  /** The trials of a search for all parameters; the others have half as many. */
  readonly trials: number;
  /** Also leaves one scheme out, and adds parameter after parameter. */
  readonly thorough: boolean;
  readonly seed: number;
  readonly program: OptunaProgram;
  readonly folder: string;
}

export const calibrationRun = defineRun<CalibrationSpec>(new URL('calibrate-path.ts', import.meta.url));

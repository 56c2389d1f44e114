import { defineRun } from '../../harness/runs/run-program.ts';
import type { CalibrationSpec } from './calibrate-path.ts';

export const calibrationRun = defineRun<CalibrationSpec>(new URL('calibrate-path.ts', import.meta.url));

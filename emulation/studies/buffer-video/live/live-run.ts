import { defineRun } from '../../../harness/runs/run-program.ts';
import type { HourSpec } from '../run-spec.ts';

export const liveHourRun = defineRun<HourSpec>(new URL('run-hour.ts', import.meta.url));

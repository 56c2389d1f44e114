import type { RunOutcome } from '../../harness/runs/study.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { sessionRun, type RunSpec } from './run-spec.ts';

/** The time, s, that a run may take in addition to its session: link, calibration, browser, reading logs. */
const RUN_MARGIN_S = 300;

/** Makes one run in a separate process. `signal` ends the run early; such a run counts as failed. */
export const startRun = (spec: RunSpec, signal: AbortSignal): Promise<RunOutcome> =>
  inProcess(sessionRun, spec, { within_s: spec.seconds + RUN_MARGIN_S, signal });

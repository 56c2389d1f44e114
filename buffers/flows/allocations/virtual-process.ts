import { serveRun } from '../../../emulation/harness/runs/serve-run.ts';
import { virtualRun } from './allocation-spec.ts';
import { runVirtually } from './run-virtually.ts';

serveRun(virtualRun, runVirtually);

import { serveRun } from '../../../emulation/runs/serve-run.ts';
import { virtualRun } from './allocation-spec.ts';
import { runVirtually } from './run-virtually.ts';

serveRun(virtualRun, runVirtually);

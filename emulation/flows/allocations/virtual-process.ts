import { serveRun } from '../../runs/serve-run.ts';
import { runVirtually } from './run-virtually.ts';

serveRun(runVirtually);

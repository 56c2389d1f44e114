import { serveRun } from '../../harness/runs/serve-run.ts';
import { runHour } from './run-hour.ts';
import { hourRun } from './run-spec.ts';

serveRun(hourRun, runHour);

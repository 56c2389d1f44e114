import { serveRun } from '../runs/serve-run.ts';
import { runSession } from './run-session.ts';

serveRun(runSession);

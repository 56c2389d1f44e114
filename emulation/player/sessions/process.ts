import { serveRun } from '../../harness/runs/serve-run.ts';
import { sessionRun } from './run-spec.ts';
import { runSession } from './run-session.ts';

serveRun(sessionRun, runSession);

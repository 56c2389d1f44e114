import { serveRun } from '../../../harness/runs/serve-run.ts';
import { trialSessionRun } from './session-spec.ts';
import { runTcpSession } from './run-tcp-session.ts';

serveRun(trialSessionRun, runTcpSession);

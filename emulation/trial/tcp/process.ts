import { serveRun } from '../../runs/serve-run.ts';
import { runTcpSession } from './run-tcp-session.ts';

serveRun(runTcpSession);

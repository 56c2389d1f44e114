import { firstServed } from '../../../ground/programs/first-served.ts';
import { serveRun } from '../../../harness/runs/serve-run.ts';
import { tcpLinkRun } from './link-spec.ts';
import { runTcpLink } from './run-tcp-link.ts';

// Highest priority: while edge and switch wait for a processor, the link would be idle.
firstServed();
serveRun(tcpLinkRun, runTcpLink);

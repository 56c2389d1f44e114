import { firstServed } from '../../emulation/ground/programs/first-served.ts';
import { serveRun } from '../../emulation/harness/runs/serve-run.ts';
import { runTraffic } from './run-traffic.ts';
import { trafficRun } from './traffic-run.ts';

// Highest priority: while the senders wait for a processor, the link would be idle.
firstServed();
serveRun(trafficRun, runTraffic);

import { firstServed } from '../../emulation/programs/first-served.ts';
import { serveRun } from '../../emulation/runs/serve-run.ts';
import { runTraffic } from './run-traffic.ts';
import { trafficRun } from './traffic-run.ts';

// Highest priority: while the senders wait for a processor, the link would be idle.
firstServed();
serveRun(trafficRun, runTraffic);

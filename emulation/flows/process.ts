import { firstServed } from '../programs/first-served.ts';
import { serveRun } from '../runs/serve-run.ts';
import { flowRun } from './flow-spec.ts';
import { runFlow } from './run-flow.ts';

// Highest priority: while the sender waits for a processor, the link would be idle.
firstServed();
serveRun(flowRun, runFlow);

import { firstServed } from '../programs/first-served.ts';
import { serveRun } from '../runs/serve-run.ts';
import { runFlow } from './run-flow.ts';

// Highest priority: while the sender waits for a processor, the link would be idle.
firstServed();
serveRun(runFlow);

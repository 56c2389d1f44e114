import { firstServed } from '../programs/first-served.ts';
import { serveRun } from '../runs/serve-run.ts';
import { runFlow } from './run-flow.ts';

// A sender that waits for a processor is a link that rests.
firstServed();
serveRun(runFlow);

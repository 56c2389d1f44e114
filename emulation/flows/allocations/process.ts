import { firstServed } from '../../programs/first-served.ts';
import { serveRun } from '../../runs/serve-run.ts';
import { allocationRun } from './allocation-spec.ts';
import { runAllocation } from './run-allocation.ts';

// Highest priority: while the senders wait for a processor, the link would be idle.
firstServed();
serveRun(allocationRun, runAllocation);

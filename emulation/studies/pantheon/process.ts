import { firstServed } from '../../ground/programs/first-served.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';
import { runLive } from './run-live.ts';
import { pantheonRun } from './run-spec.ts';

// Highest priority: the switch is in this process, and is late whenever it waits for a processor.
firstServed();
serveRun(pantheonRun, runLive);

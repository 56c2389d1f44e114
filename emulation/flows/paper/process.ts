import { firstServed } from '../../programs/first-served.ts';
import { serveRun } from '../../runs/serve-run.ts';
import { cellRun } from './cell-spec.ts';
import { runCell } from './run-cell.ts';

// Highest priority: while the senders wait for a processor, the link would be idle.
firstServed();
serveRun(cellRun, runCell);

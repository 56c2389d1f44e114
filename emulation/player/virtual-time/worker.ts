import { serveWork } from '../../../system/processes/serve-work.ts';
import { simulatedRuns } from './run-makers.ts';
import { RunSimulator } from './simulate-run.ts';

const simulator = new RunSimulator();
serveWork(simulatedRuns, () => Promise.resolve((spec) => simulator.make(spec)));

import { testLowLatency } from '../support/low-latency.ts';

// All segments but the first are fetched while they are made.
testLowLatency('5', 1.2);

import { testLowLatency } from '../../support/low-latency.ts';

// With a live delay of 3 s, the first segments are already complete at the start.
testLowLatency('5', 3);
testLowLatency('4', 3);
testLowLatency('4', 1.2);

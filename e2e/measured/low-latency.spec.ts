import { testLowLatency } from '../support/low-latency.ts';

// All segments except the first are downloaded while they are encoded.
testLowLatency('5', 1.2);

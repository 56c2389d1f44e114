import { serveWork } from '../serve-work.ts';
import { adder, sumsKept } from './sums.ts';

serveWork(sumsKept, (base) => Promise.resolve(adder(base)));

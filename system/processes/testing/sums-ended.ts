import { serveWork } from '../serve-work.ts';
import { adder, sumsEnded } from './sums.ts';

serveWork(sumsEnded, (base) => Promise.resolve(adder(base)));

import { serve } from '../worker/serve.ts';
import { chosenMap, topBound, type AlgorithmName } from './ask.ts';

/** The map of one algorithm. */
export interface Map {
  readonly rungs: number[][];
  readonly bound: [number, number][];
}

serve(function* (algorithm: AlgorithmName): Generator<Map> {
  yield { rungs: chosenMap(algorithm), bound: topBound(algorithm) };
});

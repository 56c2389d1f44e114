import { readFileSync } from 'node:fs';
import { doubtsAbout } from '../src/experiment/doubts.ts';
import { readExperiments } from '../src/experiment/read-experiments.ts';
import { resolveOptions } from '../src/options.ts';
import { errorLine } from '../system/line-of.ts';

/**
 * What is wrong or doubtful with a configuration of experiments, as edges take it, a line each. With what is wrong an edge
 * has no experiment at all, and it is one line.
 */
export function lintConfiguration(file: string): string[] {
  try {
    const experiments = readExperiments(JSON.parse(readFileSync(file, 'utf8')), resolveOptions);
    return experiments.flatMap(doubtsAbout).map((doubt) => `${file}: ${doubt}`);
  } catch (error) {
    return [`${file}: ${errorLine(error)}; an edge runs no experiment with this file`];
  }
}

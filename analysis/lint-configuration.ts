import { readFileSync } from 'node:fs';
import { doubtsAbout } from '../src/experiment/doubts.ts';
import { readExperiments } from '../src/experiment/read-experiments.ts';
import { resolveOptions } from '../src/options.ts';
import { errorLine } from '../system/error-line.ts';

/**
 * Lists the problems of a configuration of experiments for edges, one line each. If an edge would refuse the file, the only
 * line is the reason.
 */
export function lintConfiguration(file: string): string[] {
  try {
    const experiments = readExperiments(JSON.parse(readFileSync(file, 'utf8')), resolveOptions);
    return experiments.flatMap(doubtsAbout).map((doubt) => `${file}: ${doubt}`);
  } catch (error) {
    return [`${file}: ${errorLine(error)}; an edge runs no experiment with this file`];
  }
}

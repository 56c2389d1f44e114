import { readFileSync, statSync } from 'node:fs';
import type { Experiment } from '../../../src/experiment/experiment.ts';
import { errorLine } from '../../../system/error-line.ts';
import { parseExperiments } from '../../experiments.ts';

/** The interval at which the file is checked. */
const LOOK_EVERY_MS = 2000;

/**
 * Reads the experiments of a file, and rereads it after changes. While the file is missing or invalid, there are no
 * experiments.
 */
export function watchExperiments(
  path: string,
  onProblem: (line: string) => void,
): () => readonly Experiment[] {
  let list: readonly Experiment[] = [];
  let last = '';
  const look = () => {
    let state: string;
    try {
      const { mtimeMs, size } = statSync(path);
      state = `${mtimeMs} ${size}`;
    } catch (error) {
      state = errorLine(error);
    }
    if (state === last) return;
    last = state;
    try {
      list = parseExperiments(readFileSync(path, 'utf8'), (line) => onProblem(`${path}: ${line}`));
    } catch (error) {
      list = [];
      onProblem(`${path}: the experiments cannot be read: ${errorLine(error)}; no experiment runs`);
    }
  };
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
  return () => list;
}

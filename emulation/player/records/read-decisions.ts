import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompletedDecision } from '../../../src/decision.ts';
import { errorLine } from '../../../system/error-line.ts';

/**
 * Reads a run's completed decisions, in the order in which the segments were requested. Throws an Error that names an
 * invalid line.
 */
export function readDecisions(folder: string): CompletedDecision[] {
  const file = join(folder, 'decisions.jsonl');
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [parseDecision(line, `${file}: line ${index + 1}`)]))
    .sort((a, b) => a.at_ms - b.at_ms);
}

function parseDecision(line: string, where: string): CompletedDecision {
  try {
    return JSON.parse(line) as CompletedDecision;
  } catch (error) {
    throw new Error(`${where}: ${errorLine(error)}`, { cause: error });
  }
}

import type { Counts } from '../testing/counts.ts';
import { inModules, reportStep, runNode, type Step } from '../testing/step.ts';
import { AREA_VARIABLE, type AreaName } from './areas.ts';

/** The share of mutants that an area's tests must find. */
const LEAST_SCORE = 0.85;

/** The part of Stryker's report that is read: https://github.com/stryker-mutator/mutation-testing-elements. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

/**
 * Reads a report: mutants that the tests found count as passed, and the others as skipped. Too few found are one failure. Mutants
 * that do not run are not counted.
 */
export function mutationCounts(report: string): Counts {
  const mutants = Object.values((JSON.parse(report) as Report).files).flatMap((file) => file.mutants);
  const count = (...wanted: string[]) => mutants.filter(({ status }) => wanted.includes(status)).length;
  const [found, missed] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')];
  const score = found / (found + missed);
  const failures =
    score >= LEAST_SCORE
      ? []
      : [`${(100 * score).toFixed(0)}% of the mutants are found, expected ${100 * LEAST_SCORE}%`];
  return { passed: found, failed: failures.length, skipped: missed, failures };
}

/** Changes one token after the other in an area's sources, and runs the area's tests with each. */
export const mutationStep = (area: AreaName): Step =>
  reportStep(
    `mutants of ${area}`,
    (file, output) =>
      runNode(
        output,
        inModules('@stryker-mutator/core/bin/stryker.js'),
        ['run', 'tools/mutations/stryker.config.mjs'],
        { [AREA_VARIABLE]: area, MUTATIONS_FILE: file },
      ),
    mutationCounts,
  );

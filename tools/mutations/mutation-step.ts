import type { Counts } from '../testing/counts.ts';
import { inModules, reportStep, runNode, type Step } from '../testing/step.ts';
import { AREA_VARIABLE, type AreaName } from './areas.ts';

/** The minimum share of mutants that an area's tests must detect. */
const LEAST_SCORE = 0.85;

/** The used part of Stryker's report: https://github.com/stryker-mutator/mutation-testing-elements. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

/**
 * Counts the mutants in a report: detected mutants as passed, and the others as skipped. If too few mutants were
 * detected, adds one failure. Mutants that could not run are not counted.
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

/** A step that mutates an area's sources, one mutant at a time, and runs the area's tests with each mutant. */
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

import type { LinkResult } from '../results/link-result.ts';
import type { LinkRun } from '../link-run.ts';

/** The hours of each link, and the sessions without a row, for the report. */
export const validity = (runs: readonly LinkRun[], results: readonly LinkResult[]): object[] =>
  results.map(({ rows, leftOut = [], hours = [] }, index) => ({
    link: runs[index]?.link,
    treatment: runs[index]?.treatment,
    design: runs[index]?.design,
    sessions: rows.length,
    left_out: leftOut,
    hours,
  }));

/** Returns a line with the numbers of valid hours and of excluded sessions, and the reason of the first exclusion. */
export function validityLine(results: readonly LinkResult[]): string {
  const hours = results.flatMap((result) => result.hours ?? []).filter(({ counts }) => counts);
  const invalid = hours.filter((hour) => hour.invalid !== undefined);
  const leftOut = results.flatMap((result) => result.leftOut ?? []);
  const all = leftOut.length + results.reduce((sum, { rows }) => sum + rows.length, 0);
  const [first] = leftOut;
  return (
    `${hours.length - invalid.length} of ${hours.length} hours are valid, ` +
    `${leftOut.length} of ${all} sessions are left out (validity.json)` +
    (first ? `; the first: ${first.reason}` : '')
  );
}

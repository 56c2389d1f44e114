import type { Claim, Exhibit, Row } from './exhibit.ts';
import { isNumbers, pointOf, type Value } from './value.ts';

/** How a row's number of ours compares with its claim. */
export type Outcome = 'holds' | 'direction only' | 'contradicts' | 'cannot tell';

/** Verdicts on an exhibit, which may also have no numbers to compare, or nothing measured. */
export const VERDICTS = [
  ...(['holds', 'direction only', 'contradicts', 'cannot tell'] as const),
  ...(['not compared', 'nothing to compare', 'not built'] as const),
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The verdict on an exhibit, from the outcomes of its rows. */
export function verdictOf({ rows, isOutline }: Pick<Exhibit, 'rows' | 'isOutline'>): Verdict {
  if (isOutline) return 'nothing to compare';
  if (!rows.some(({ ours }) => ours !== null)) return 'not built';
  const outcomes = rows.map(outcomeOf).filter((outcome) => outcome !== null);
  if (outcomes.length === 0) return 'not compared';
  if (outcomes.includes('contradicts')) return 'contradicts';
  if (outcomes.every((outcome) => outcome === 'cannot tell')) return 'cannot tell';
  return outcomes.every((outcome) => outcome === 'holds') && !rows.some(isUntested)
    ? 'holds'
    : 'direction only';
}

/** A claim of the paper that nothing here measures: an exhibit with one holds in part only. */
const isUntested = ({ claim, ours }: Row): boolean => ours === null && claim != null;

/** Both ends included. */
type Range = readonly [low: number, high: number];
const around = (number: number, margin: number): Range => [number - margin, number + margin];
const overlap = (a: Range, b: Range): boolean => a[0] <= b[1] && b[0] <= a[1];
const isInside = (inner: Range, outer: Range): boolean => inner[0] >= outer[0] && inner[1] <= outer[1];

/**
 * The outcome of a row; null where nothing is compared. A number without an interval, unless it is a count, comes from a
 * single run: another run could have another sign, so that it can neither hold nor contradict.
 */
export function outcomeOf(row: Row): Outcome | null {
  const { paper, ours } = row;
  const claim = claimOf(row);
  if (claim === null || !isNumbers(ours)) return null;
  if (typeof ours === 'number' && !row.isCount) return 'cannot tell';
  const theirs = isNumbers(paper) ? pointOf(paper) : NaN;
  const found: Found =
    typeof ours === 'number'
      ? { point: ours, range: around(ours, 0) }
      : { point: ours[0], range: [ours[1], ours[2]] };
  const outcome = judge(claim, found, theirs, marginOf(claim, paper), row.level ?? false);
  return outcome === 'holds' && isSignOfNumber(claim, paper) ? 'direction only' : outcome;
}

/** Where the paper has a number, in whatever unit, a sign alone does not show it. */
const isSignOfNumber = ({ of }: Claim, paper: Value | null): boolean =>
  (of === 'more' || of === 'less') && (isNumbers(paper) || /\d/.test(paper ?? ''));

/** The comparison of a row in words, such as `no change, give or take 2 points`; null where nothing is compared. */
export function claimWords(row: Row): string | null {
  const claim = claimOf(row);
  if (claim === null || !isNumbers(row.ours)) return null;
  // A margin of percentages counts points.
  const unit = row.unit.startsWith('%') ? 'points' : row.unit;
  const margin = `give or take ${amount(marginOf(claim, row.paper), unit)}`;
  switch (claim.of) {
    case 'more':
      return 'sign: above 0';
    case 'less':
      return 'sign: below 0';
    case 'at most':
      return "at most the paper's number";
    case 'within':
      return `interval contains ${amount(claim.number, row.unit)}`;
    case 'no change':
      return `no change, ${margin}`;
    case 'size':
      return row.level ? `size, ${margin}` : `sign and size, ${margin}`;
  }
}

const amount = (number: number, unit: string): string => {
  const digits = number.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  return unit === '' ? digits : unit === '%' ? `${digits}%` : `${digits} ${unit}`;
};

/** Where a row does not say: the size, if both have a number. */
const claimOf = ({ claim, paper, ours }: Row): Claim | null =>
  claim === undefined && isNumbers(paper) && isNumbers(ours) ? { of: 'size' } : (claim ?? null);

/** A quarter of the paper's number where not given, and no less than what the paper itself is unsure of. */
function marginOf(claim: Claim, paper: Value | null): number {
  if (claim.of === 'no change') return claim.margin;
  if (claim.of !== 'size' || !isNumbers(paper)) return 0;
  const unsure = typeof paper === 'number' ? 0 : (paper[2] - paper[1]) / 2;
  return claim.margin ?? Math.max(Math.abs(pointOf(paper)) / 4, unsure);
}

/** A number of ours, and its interval. */
interface Found {
  readonly point: number;
  readonly range: Range;
}

const ABOVE_ZERO: Range = [Number.MIN_VALUE, Infinity];
const BELOW_ZERO: Range = [-Infinity, -Number.MIN_VALUE];

function judge(claim: Claim, found: Found, theirs: number, margin: number, level: boolean): Outcome {
  switch (claim.of) {
    case 'more':
      return nearness(found, ABOVE_ZERO);
    case 'less':
      return nearness(found, BELOW_ZERO);
    case 'at most':
      return nearness(found, [-Infinity, theirs]);
    case 'no change':
      return nearness(found, around(0, margin));
    case 'within':
      return overlap(found.range, around(claim.number, 0)) ? 'holds' : 'contradicts';
    case 'size':
      return level ? nearness(found, around(theirs, margin)) : sizeOutcome(found, theirs, margin);
  }
}

/** Whether all of an interval lies where it should, or nothing of it. */
function nearness({ range }: Found, wanted: Range): Outcome {
  if (isInside(range, wanted)) return 'holds';
  return overlap(range, wanted) ? 'cannot tell' : 'contradicts';
}

/** A change is compared by its sign first, which must be certain, and then by its size. */
function sizeOutcome({ point, range }: Found, theirs: number, margin: number): Outcome {
  const sameSign = theirs > 0 ? ABOVE_ZERO : BELOW_ZERO;
  const wanted = around(theirs, margin);
  if (isInside(range, sameSign)) return isInside(around(point, 0), wanted) ? 'holds' : 'direction only';
  // With the other sign for certain, or so close to zero that the paper's size is out of reach.
  return overlap(range, sameSign) && overlap(range, wanted) ? 'cannot tell' : 'contradicts';
}

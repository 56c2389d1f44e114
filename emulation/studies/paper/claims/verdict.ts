import type { Claim, Exhibit, Row } from './exhibit.ts';
import { isNumbers, getPoint, type Value } from './value.ts';

/** How a row's measured number compares with its claim. */
export type Outcome = 'holds' | 'direction only' | 'contradicts' | 'cannot tell';

/**
 * The verdicts on an exhibit: the outcome of its rows, or one of three reasons why there is none. `not compared`: it
 * was drawn here, but no number is compared. `nothing to compare`: it is an illustration or an outline. `not built`:
 * nothing of it was measured.
 */
export const VERDICTS = [
  ...(['holds', 'direction only', 'contradicts', 'cannot tell'] as const),
  ...(['not compared', 'nothing to compare', 'not built'] as const),
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Derives the verdict on an exhibit from the outcomes of its rows. */
export function judgeExhibit({ rows, isOutline }: Pick<Exhibit, 'rows' | 'isOutline'>): Verdict {
  if (isOutline) return 'nothing to compare';
  if (!rows.some(({ ours }) => ours !== null)) return 'not built';
  const outcomes = rows.map(judgeRow).filter((outcome) => outcome !== null);
  if (outcomes.length === 0) return 'not compared';
  if (outcomes.includes('contradicts')) return 'contradicts';
  if (outcomes.every((outcome) => outcome === 'cannot tell')) return 'cannot tell';
  return outcomes.every((outcome) => outcome === 'holds') && !rows.some(isUntested)
    ? 'holds'
    : 'direction only';
}

/** Whether a row is a claim that this project does not measure. An exhibit with such a row holds only in part. */
const isUntested = ({ claim, ours }: Row): boolean => ours === null && claim != null;

/** A range that includes both ends. */
type Range = readonly [low: number, high: number];
const around = (number: number, margin: number): Range => [number - margin, number + margin];
const overlap = (a: Range, b: Range): boolean => a[0] <= b[1] && b[0] <= a[1];
const isInside = (inner: Range, outer: Range): boolean => inner[0] >= outer[0] && inner[1] <= outer[1];

/**
 * The outcome of a row; null if nothing is compared. A number without an interval comes from a single run, unless it is
 * a count. In another run it could have another sign, so it can neither hold nor contradict.
 */
export function judgeRow(row: Row): Outcome | null {
  const { paper, ours } = row;
  const claim = getClaim(row);
  if (claim === null || !isNumbers(ours)) return null;
  if (typeof ours === 'number' && !row.isCount) return 'cannot tell';
  const theirs = isNumbers(paper) ? getPoint(paper) : NaN;
  const found: MeasuredNumber =
    typeof ours === 'number'
      ? { point: ours, range: around(ours, 0) }
      : { point: ours[0], range: [ours[1], ours[2]] };
  const outcome = judge(claim, found, theirs, getMargin(claim, paper), row.level ?? false);
  return outcome === 'holds' && isSignOfNumber(claim, paper) ? 'direction only' : outcome;
}

/**
 * Whether a row compares only the sign although the paper states a number, in any unit. The sign alone does not confirm
 * the number.
 */
const isSignOfNumber = ({ of }: Claim, paper: Value | null): boolean =>
  (of === 'more' || of === 'less') && (isNumbers(paper) || /\d/.test(paper ?? ''));

/** The comparison of a row as text, such as `no change, give or take 2 points`; null if nothing is compared. */
export function claimWords(row: Row): string | null {
  const claim = getClaim(row);
  if (claim === null || !isNumbers(row.ours)) return null;
  // The margin of a percentage is in percentage points.
  const unit = row.unit.startsWith('%') ? 'points' : row.unit;
  const margin = `give or take ${amount(getMargin(claim, row.paper), unit)}`;
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

/** By default, the size is compared if both values are numbers. */
const getClaim = ({ claim, paper, ours }: Row): Claim | null =>
  claim === undefined && isNumbers(paper) && isNumbers(ours) ? { of: 'size' } : (claim ?? null);

/**
 * The allowed deviation: by default a quarter of the paper's number, or the paper's own uncertainty if this is larger.
 */
function getMargin(claim: Claim, paper: Value | null): number {
  if (claim.of === 'no change') return claim.margin;
  if (claim.of !== 'size' || !isNumbers(paper)) return 0;
  const unsure = typeof paper === 'number' ? 0 : (paper[2] - paper[1]) / 2;
  return claim.margin ?? Math.max(Math.abs(getPoint(paper)) / 4, unsure);
}

/** A measured number, and its interval. */
interface MeasuredNumber {
  readonly point: number;
  readonly range: Range;
}

const ABOVE_ZERO: Range = [Number.MIN_VALUE, Infinity];
const BELOW_ZERO: Range = [-Infinity, -Number.MIN_VALUE];

function judge(claim: Claim, found: MeasuredNumber, theirs: number, margin: number, level: boolean): Outcome {
  switch (claim.of) {
    case 'more':
      return compareRange(found, ABOVE_ZERO);
    case 'less':
      return compareRange(found, BELOW_ZERO);
    case 'at most':
      return compareRange(found, [-Infinity, theirs]);
    case 'no change':
      return compareRange(found, around(0, margin));
    case 'within':
      return overlap(found.range, around(claim.number, 0)) ? 'holds' : 'contradicts';
    case 'size':
      return level ? compareRange(found, around(theirs, margin)) : sizeOutcome(found, theirs, margin);
  }
}

/** Whether an interval lies completely inside the wanted range, or completely outside. */
function compareRange({ range }: MeasuredNumber, wanted: Range): Outcome {
  if (isInside(range, wanted)) return 'holds';
  return overlap(range, wanted) ? 'cannot tell' : 'contradicts';
}

/** Compares first the sign of a change, which the interval must determine, and then its size. */
function sizeOutcome({ point, range }: MeasuredNumber, theirs: number, margin: number): Outcome {
  const sameSign = theirs > 0 ? ABOVE_ZERO : BELOW_ZERO;
  const wanted = around(theirs, margin);
  if (isInside(range, sameSign)) return isInside(around(point, 0), wanted) ? 'holds' : 'direction only';
  // The measurement contradicts the paper if its interval has only values of the opposite sign, or none within the
  // margin.
  return overlap(range, sameSign) && overlap(range, wanted) ? 'cannot tell' : 'contradicts';
}

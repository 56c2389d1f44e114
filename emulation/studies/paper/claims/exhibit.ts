import { getPoint, type Numbers, type Value } from './value.ts';

/**
 * The comparison that a row claims, stated before the measurement:
 * - size: the number is that of the paper, plus or minus `margin`, in the row's unit; a quarter of the paper's by
 *   default;
 * - no change: the number is 0, plus or minus `margin`;
 * - more, less: the number is above or below 0. If the paper states a number, this confirms only the direction;
 * - at most: the paper's number is an upper bound;
 * - within: the measured interval contains this number.
 */
export type Claim =
  | { readonly of: 'size'; readonly margin?: number }
  | { readonly of: 'no change'; readonly margin: number }
  | { readonly of: 'more' | 'less' | 'at most' }
  | { readonly of: 'within'; readonly number: number };

/** One number of an exhibit: the paper's value, from its text, and the measured value; null if it is missing. */
export interface Row {
  readonly what: string;
  /** The unit of the paper's and the measured value, such as '%' or 'ms'; '' for text. */
  readonly unit: string;
  /** Whether the values are a level, which has no sign, and not a change. */
  readonly level?: boolean;
  /** Set for a count of things in the repository, which is exact, so that it needs no interval. */
  readonly isCount?: true;
  readonly paper: Value | null;
  readonly ours: Value | null;
  /** Set for a value that is computed from two other rows, so that the log does not contain it. */
  readonly isDifference?: boolean;
  /** The comparison. By default, the size is compared if both values are numbers; null for a row that is only shown. */
  readonly claim?: Claim | null;
}

/**
 * The source of the measured numbers: copied from a page of the log, which belongs to an earlier commit, or read from
 * committed evidence.
 */
export type Origin = LoggedOrigin | EvidenceOrigin;

interface MadeBy {
  readonly command: string;
  /** The commit that made the numbers. */
  readonly commit: string;
}

export interface LoggedOrigin extends MadeBy {
  /** The page of the log that contains the numbers. */
  readonly page: `/${string}`;
}

export interface EvidenceOrigin extends MadeBy {
  /** The names of the measurements, whose values are in docs/results/evidence. */
  readonly evidence: readonly string[];
  readonly kernel: string;
  readonly date: string;
  readonly form: 'quick' | 'full';
  /** The number of repetitions from which each interval is computed. */
  readonly seeds: number;
}

/** A figure or a table of a paper. */
export interface Exhibit {
  /** The figure's or table's number in the paper, such as 'Figure 3'. */
  readonly name: string;
  /** A one-sentence description. */
  readonly shows: string;
  /** The section of the paper that states the numbers, such as '§5.1'. */
  readonly section: string;
  readonly rows: readonly Row[];
  readonly origin: Origin | null;
  /** Set for an illustration or an outline, which has nothing to measure. */
  readonly isOutline?: true;
  readonly note: string;
}

export interface Paper {
  /** The name of the paper's page and file. */
  readonly key: string;
  readonly title: string;
  /** The short form of the title. */
  readonly short: string;
  readonly year: number;
  readonly exhibits: readonly Exhibit[];
}

const nothing = { rows: [], origin: null } as const;

/** Makes an exhibit that this project does not measure. The note tells why, or which measurement is closest. */
export const notBuilt = (name: string, section: string, shows: string, note: string): Exhibit => ({
  name,
  section,
  shows,
  note,
  ...nothing,
});

/** Makes an exhibit for an illustration or an outline, which has nothing to measure. */
export const outline = (name: string, section: string, shows: string, note = ''): Exhibit => ({
  ...notBuilt(
    name,
    section,
    shows,
    `An illustration or an outline: there is nothing to measure.${note && ` ${note}`}`,
  ),
  isOutline: true,
});

/** Makes a row with a measured number. `claim` has further properties of the row, such as `LESS`. */
export const measuredRow = (
  what: string,
  unit: string,
  paper: Row['paper'],
  ours: Row['ours'],
  claim: Pick<Row, 'level' | 'isCount' | 'claim'> = {},
): Row => ({ what, unit, paper, ours, ...claim });

/** For rows that only give context for another row's claim. */
export const SHOWN = { claim: null } as const;
export const MORE: { readonly claim: Claim } = { claim: { of: 'more' } };
export const LESS: { readonly claim: Claim } = { claim: { of: 'less' } };
export const noChange = (margin: number): { readonly claim: Claim } => ({
  claim: { of: 'no change', margin },
});

/**
 * The difference of two rows' numbers. The measured difference has the interval that both rows' intervals allow, which
 * is wide.
 */
export function difference(
  what: string,
  unit: string,
  paper: readonly [one: number, other: number] | string,
  [one, other]: readonly [one: Numbers, other: Numbers],
): Row {
  const round = (number: number): number => Math.round(100 * number) / 100;
  const point = round(getPoint(one) - getPoint(other));
  return {
    ...{ what, unit, isDifference: true },
    paper: typeof paper === 'string' ? paper : round(paper[0] - paper[1]),
    ours:
      typeof one === 'number' || typeof other === 'number'
        ? point
        : [point, round(one[1] - other[2]), round(one[2] - other[1])],
  };
}

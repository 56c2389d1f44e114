import { getPoint, type Numbers, type Value } from './value.ts';

/**
 * The comparison that a row claims, stated before the measurement:
 * - size: the number is the paper's, plus or minus `margin`, in the row's unit; a quarter of the paper's by default;
 * - no change: the number is 0, plus or minus `margin`;
 * - more, less: the number is above or below 0; if the paper has a number, this shows only the direction;
 * - at most: the paper's number is an upper bound;
 * - within: the measured interval contains this number.
 */
export type Claim =
  | { readonly of: 'size'; readonly margin?: number }
  | { readonly of: 'no change'; readonly margin: number }
  | { readonly of: 'more' | 'less' | 'at most' }
  | { readonly of: 'within'; readonly number: number };

/** One number of an exhibit: the paper's, from its text, next to the measured one; null for a missing value. */
export interface Row {
  readonly what: string;
  /** The unit of both values, such as '%' or 'ms'; '' for words. */
  readonly unit: string;
  /** Set for a level, which has no sign, rather than a change. */
  readonly level?: boolean;
  /** A count of things in the repository: exact, so it needs no interval. */
  readonly isCount?: true;
  readonly paper: Value | null;
  readonly ours: Value | null;
  /** Computed from two rows, and therefore not in the log. */
  readonly isDifference?: boolean;
  /** The comparison: by default the size if both are numbers; null for a row that is only shown. */
  readonly claim?: Claim | null;
}

/**
 * The origin of the measured numbers: copied from a page of the log, which belongs to an earlier commit, or read from
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
  /** The measurements, whose values are in docs/results/evidence. */
  readonly evidence: readonly string[];
  readonly kernel: string;
  readonly date: string;
  readonly form: 'quick' | 'full';
  /** The number of repetitions for each interval. */
  readonly seeds: number;
}

/** A figure or a table of a paper. */
export interface Exhibit {
  /** Its number in the paper, such as 'Figure 3'. */
  readonly name: string;
  /** A one-sentence description. */
  readonly shows: string;
  /** The section of the paper with the numbers, such as '§5.1'. */
  readonly section: string;
  readonly rows: readonly Row[];
  readonly origin: Origin | null;
  /** Set for an illustration or an outline, in which nothing can be measured. */
  readonly isOutline?: true;
  readonly note: string;
}

export interface Paper {
  /** The name of its page and file. */
  readonly key: string;
  readonly title: string;
  /** The short title. */
  readonly short: string;
  readonly year: number;
  readonly exhibits: readonly Exhibit[];
}

const nothing = { rows: [], origin: null } as const;

/** An exhibit that this project does not measure; the note tells why, or which measurement is closest. */
export const notBuilt = (name: string, section: string, shows: string, note: string): Exhibit => ({
  name,
  section,
  shows,
  note,
  ...nothing,
});

/** An illustration or an outline, in which nothing can be measured. */
export const outline = (name: string, section: string, shows: string, note = ''): Exhibit => ({
  ...notBuilt(
    name,
    section,
    shows,
    `An illustration or an outline: there is nothing to measure.${note && ` ${note}`}`,
  ),
  isOutline: true,
});

/** For rows that only give context for a claim. */
export const SHOWN = { claim: null } as const;
export const MORE: { readonly claim: Claim } = { claim: { of: 'more' } };
export const LESS: { readonly claim: Claim } = { claim: { of: 'less' } };
export const noChange = (margin: number): { readonly claim: Claim } => ({
  claim: { of: 'no change', margin },
});

/** The difference of two rows' numbers. The measured one has the interval that both intervals allow, which is wide. */
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

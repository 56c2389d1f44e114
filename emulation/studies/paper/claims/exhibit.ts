import { pointOf, type Numbers, type Value } from './value.ts';

/**
 * The comparison that a row claims, stated before our number is measured:
 * - size: our number is the paper's, give or take `margin`, in the row's unit; a quarter of the paper's where not given;
 * - no change: our number is 0, give or take `margin`;
 * - more, less: our number is above or below 0; where the paper has a number, that shows the direction only;
 * - at most: the paper's number is a bound;
 * - within: our interval has this number in it.
 */
export type Claim =
  | { readonly of: 'size'; readonly margin?: number }
  | { readonly of: 'no change'; readonly margin: number }
  | { readonly of: 'more' | 'less' | 'at most' }
  | { readonly of: 'within'; readonly number: number };

/** One number of an exhibit: the paper's, from its text, beside ours; null where there is none. */
export interface Row {
  readonly what: string;
  /** Of both values, such as '%' or 'ms'; '' of words. */
  readonly unit: string;
  /** No change but a level: it has no sign. */
  readonly level?: boolean;
  /** A count of what is in the repository: exact, so that it needs no interval. */
  readonly isCount?: true;
  readonly paper: Value | null;
  readonly ours: Value | null;
  /** Computed of two rows, and so not in the log. */
  readonly isDifference?: boolean;
  /** The comparison: by size where both are numbers, if not given; null for a row that is only shown. */
  readonly claim?: Claim | null;
}

/** What made our numbers: typed from a page of the log, which is of an earlier commit, or read from committed evidence. */
export type Origin = LoggedOrigin | EvidenceOrigin;

interface MadeBy {
  readonly command: string;
  /** The commit on which it ran. */
  readonly commit: string;
}

export interface LoggedOrigin extends MadeBy {
  /** The page of the log that has them. */
  readonly page: `/${string}`;
}

export interface EvidenceOrigin extends MadeBy {
  /** The measurements, whose values are in docs/results/evidence. */
  readonly evidence: readonly string[];
  readonly kernel: string;
  readonly date: string;
  readonly form: 'quick' | 'full';
  /** How many repetitions each interval is of. */
  readonly seeds: number;
}

/** A figure or a table of a paper. */
export interface Exhibit {
  /** Its number in the paper, such as 'Figure 3'. */
  readonly name: string;
  /** What it shows, in one sentence. */
  readonly shows: string;
  /** Where the paper's text has the numbers, such as '§5.1'. */
  readonly section: string;
  readonly rows: readonly Row[];
  readonly origin: Origin | null;
  /** An illustration or an outline, of which nothing could be measured. */
  readonly isOutline?: true;
  readonly note: string;
}

export interface Paper {
  /** Of its page and file. */
  readonly key: string;
  readonly title: string;
  /** What to call it beside others. */
  readonly short: string;
  readonly year: number;
  readonly exhibits: readonly Exhibit[];
}

const nothing = { rows: [], origin: null } as const;

/** An exhibit that nothing here measures; the note says why, or what comes nearest. */
export const notBuilt = (name: string, section: string, shows: string, note: string): Exhibit => ({
  name,
  section,
  shows,
  note,
  ...nothing,
});

/** An illustration or an outline, of which nothing could be measured. */
export const outline = (name: string, section: string, shows: string, note = ''): Exhibit => ({
  ...notBuilt(
    name,
    section,
    shows,
    `An illustration or an outline: there is nothing to measure.${note && ` ${note}`}`,
  ),
  isOutline: true,
});

/** Rows that only show what a claim is about. */
export const SHOWN = { claim: null } as const;
export const MORE: { readonly claim: Claim } = { claim: { of: 'more' } };
export const LESS: { readonly claim: Claim } = { claim: { of: 'less' } };
export const noChange = (margin: number): { readonly claim: Claim } => ({
  claim: { of: 'no change', margin },
});

/** The difference of two rows' numbers; ours with the interval that both of theirs allow, which is wide. */
export function difference(
  what: string,
  unit: string,
  paper: readonly [one: number, other: number] | string,
  [one, other]: readonly [one: Numbers, other: Numbers],
): Row {
  const round = (number: number): number => Math.round(100 * number) / 100;
  const point = round(pointOf(one) - pointOf(other));
  return {
    ...{ what, unit, isDifference: true },
    paper: typeof paper === 'string' ? paper : round(paper[0] - paper[1]),
    ours:
      typeof one === 'number' || typeof other === 'number'
        ? point
        : [point, round(one[1] - other[2]), round(one[2] - other[1])],
  };
}

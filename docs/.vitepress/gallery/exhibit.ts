/** A number, one with its 95% interval (value, low, high), or what has none, in words. */
export type Value = number | readonly [value: number, low: number, high: number] | string;

/** One number of an exhibit: the paper's, from its text, beside ours; null where there is none. */
export interface Row {
  readonly what: string;
  /** Of both values, such as '%' or 'ms'; '' of words. */
  readonly unit: string;
  /** No change but a level: it has no sign. */
  readonly level?: boolean;
  readonly paper: Value | null;
  readonly ours: Value | null;
}

export const VERDICTS = ['holds', 'direction only', 'contradicts', 'not built'] as const;
/**
 * - holds: what the paper finds is found here, at its size or by a target that was stated before.
 * - direction only: the sign is the paper's, the size is another, or runs are too few to tell;
 *   also a figure that is drawn from our runs, and of which no number was compared.
 * - contradicts: found otherwise here.
 * - not built: never measured here, also where a picture or a page says much the same.
 */
export type Verdict = (typeof VERDICTS)[number];

/** What made our numbers, of those that are committed. */
export interface Origin {
  readonly command: string;
  /** The commit on which it ran. */
  readonly commit: string;
  /** The page of the log that has them. */
  readonly page: `/${string}`;
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
  readonly verdict: Verdict;
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

const nothing = { rows: [], origin: null, verdict: 'not built' } as const;

/** An exhibit that nothing here measures; the note says why, or what comes nearest. */
export const notBuilt = (name: string, section: string, shows: string, note: string): Exhibit => ({
  name,
  section,
  shows,
  note,
  ...nothing,
});

export const NOTHING_TO_MEASURE = 'An illustration or an outline: there is nothing to measure.';

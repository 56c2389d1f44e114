import type { Figure } from './figure.ts';

/** The part of the log about one experiment. */
export interface Exhibit {
  readonly name: string;
  /** The table in Markdown, with the line that says how it was made. */
  readonly table: string;
  /** The experiment's main figure; undefined where there is none yet. */
  readonly figure: Pick<Figure, 'title' | 'caption'> | undefined;
  /** The file names of its pictures, below `figures/`. */
  readonly pictures: readonly string[];
}

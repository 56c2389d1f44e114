import type { Look } from './palette.ts';
import type { Markup } from './html.ts';

/** A figure of the report: what it shows, how to read it, and what it was made from. */
export interface Figure {
  readonly title: string;
  /** How to read it, in a sentence or two. */
  readonly caption: string;
  /** One or more charts. */
  readonly charts: readonly Markup[];
  /** How many stand side by side where there is room. */
  readonly columns?: number;
  /** Closed until the reader opens it: one of many alike. */
  readonly folded?: boolean;
  /** What a legend has to name; nothing where the chart names it. */
  readonly legend?: readonly Look[];
  /** How it was made, and from which files. */
  readonly source: string;
}

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

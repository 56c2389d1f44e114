import type { Look } from './palette.ts';
import type { Markup } from './html.ts';

/** A figure of the report: charts, a caption, and the source of the data. */
export interface Figure {
  readonly title: string;
  /** How to read the figure, in a sentence or two. */
  readonly caption: string;
  readonly charts: readonly Markup[];
  /** The number of charts side by side, if the page is wide enough. */
  readonly columns?: number;
  /** Whether the figure is collapsed at first, because there are many similar figures. */
  readonly folded?: boolean;
  /** The entries of the legend; empty if the chart labels them itself. */
  readonly legend?: readonly Look[];
  /** How the figure was made, and from which files. */
  readonly source: string;
}

/** One study's section in the results log. */
export interface Exhibit {
  readonly name: string;
  /** The table in Markdown, with a line that tells how the table was made. */
  readonly table: string;
  /** The experiment's main figure; undefined if there is none yet. */
  readonly figure: Pick<Figure, 'title' | 'caption'> | undefined;
  /** The file names of the charts, below `figures/`. */
  readonly pictures: readonly string[];
}

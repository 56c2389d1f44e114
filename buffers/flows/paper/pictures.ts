import { standaloneSvg } from '../../../emulation/ground/drawing/standalone-svg.ts';
import type { Drawn } from './draw-figures.ts';

/** Returns the charts of a figure as separate files, by name: `figure-4-2.svg` is the second chart of Figure 4. */
export const figurePictures = ({
  number,
  figure,
}: Pick<Drawn, 'number' | 'figure'>): Record<string, string> =>
  Object.fromEntries(
    figure.charts.flatMap((chart, index) => {
      const picture = standaloneSvg(chart, figure.legend);
      return picture === undefined ? [] : [[`figure-${number}-${index + 1}.svg`, picture] as const];
    }),
  );

import * as Plot from '@observablehq/plot';
import type { Experiment } from '../../experiments/experiment.ts';
import type { Markup } from '../page/html.ts';
import { armColor, armSymbol } from './palette.ts';
import { svg } from './svg.ts';

/** An arm's dot as the charts draw it. */
export const legendMark = (experiment: Experiment, arm: string): Markup =>
  svg(`mark of ${arm}`, {
    width: 14,
    height: 14,
    margin: 0,
    marks: [
      Plot.dot([arm], {
        frameAnchor: 'middle',
        symbol: armSymbol(experiment, arm),
        fill: armColor(experiment, arm),
        r: 4.5,
      }),
    ],
  });

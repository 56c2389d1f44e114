import { arms as known } from '../../arms/index.ts';
import type { Experiment } from '../../experiments/experiment.ts';

/** As many as there are `--arm-N` in style.css: neutral for the control, then Okabe and Ito's for the color-blind. */
const TREATMENT_COLORS = 7;

/** The color of an arm: neutral as the control, and otherwise the same in every report. */
export function armColor({ arms }: Experiment, arm: string): string {
  if (arm === arms[0]) return 'var(--arm-0)';
  const index = known.findIndex(({ name }) => name === arm);
  return `var(--arm-${1 + ((index + TREATMENT_COLORS - 1) % TREATMENT_COLORS)})`;
}

/** For Plot: arms to their colors. */
export const armScale = (experiment: Experiment) => ({
  domain: [...experiment.arms],
  range: experiment.arms.map((arm) => armColor(experiment, arm)),
});

/** Arms have different shapes too, so that no color need be told apart. */
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye', 'hexagon'] as const;

export const armSymbol = ({ arms }: Experiment, arm: string) =>
  SYMBOLS[arms.indexOf(arm) % SYMBOLS.length] ?? 'circle';

export const symbolScale = (experiment: Experiment) => ({
  domain: [...experiment.arms],
  range: experiment.arms.map((arm) => armSymbol(experiment, arm)),
});

import { arms as known } from '../../arms/index.ts';
import type { Experiment } from '../../experiments/experiment.ts';

/** What tells one of the compared from another, by color and by shape, so that no color need be told apart. */
export interface Look {
  readonly name: string;
  /** One of `--arm-N` in style.css: neutral for the control, then Okabe and Ito's for the color-blind. */
  readonly color: string;
  readonly symbol: (typeof TREATMENT_SYMBOLS)[number] | 'circle';
}

const TREATMENT_COLORS = 7;
const TREATMENT_SYMBOLS = ['square', 'triangle', 'diamond', 'star', 'wye', 'hexagon', 'cross'] as const;

const controlLook = (name: string): Look => ({ name, color: 'var(--arm-0)', symbol: 'circle' });

const treatmentLook = (name: string, index: number): Look => ({
  name,
  color: `var(--arm-${1 + (index % TREATMENT_COLORS)})`,
  symbol: TREATMENT_SYMBOLS[index % TREATMENT_SYMBOLS.length] ?? 'square',
});

/** Of an arm: neutral as the control, and otherwise the same in every report. */
export function armLook({ arms }: Experiment, arm: string): Look {
  if (arm === arms[0]) return controlLook(arm);
  // As a treatment the first, which is the control as a rule, takes the last look; an unknown one the one before.
  const index = known.findIndex(({ name }) => name === arm);
  return treatmentLook(arm, index - 1 + TREATMENT_COLORS);
}

export const armLooks = (experiment: Experiment): Look[] =>
  experiment.arms.map((arm) => armLook(experiment, arm));

/** Of conditions, the first of which is the control. */
export const conditionLooks = (names: readonly string[]): Look[] =>
  names.map((name, index) => (index === 0 ? controlLook(name) : treatmentLook(name, index - 1)));

/** For Plot: names to their looks. */
export const scalesOf = (looks: readonly Look[]) => {
  const domain = looks.map(({ name }) => name);
  return {
    color: { domain, range: looks.map(({ color }) => color) },
    symbol: { domain, range: looks.map(({ symbol }) => symbol) },
  };
};

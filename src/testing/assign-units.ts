import { assign } from '../experiment/assign.ts';
import { readExperiments } from '../experiment/read-experiments.ts';
import { milliseconds } from '../units.ts';

/** 10,000 units, some with characters outside ASCII and outside the Basic Multilingual Plane. */
export const UNITS: readonly string[] = Array.from({ length: 10_000 }, (_, index) =>
  index % 7 === 0 ? `unit-${index}-ü€😀` : `unit-${index}`,
);

/** An experiment that includes some of the units, and a moment within its period. */
export const CONFIGURATION = {
  version: 1,
  experiments: [{ name: 'e', design: 'ab', from: '2026-11-22T00:00Z', allocation: 0.37, treatment: {} }],
};
export const MOMENT = milliseconds(1_795_348_800_000);

/** Each unit's bucket and arm, which must be the same in every runtime: `0.1234 treatment`. */
export function assignUnits(): string[] {
  const [experiment] = readExperiments(CONFIGURATION);
  if (!experiment) throw new Error('there is no experiment');
  return UNITS.map((unit) => {
    const assignment = assign(unit, experiment, { cluster: 'link-1', now: MOMENT });
    if (!assignment) throw new Error(`${unit} has no arm`);
    return `${assignment.bucket} ${assignment.arm}`;
  });
}

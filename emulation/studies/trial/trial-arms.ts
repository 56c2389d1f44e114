import { named } from '../../../system/command-line/suggestion.ts';
import { readFileSync } from 'node:fs';
import { readTtpModel } from '../../../src/abr/fugu/ttp-model.ts';
import { fugu } from '../../../src/abr/index.ts';
import { errorLine } from '../../../system/error-line.ts';
import type { Arm } from '../../player/arms/arm.ts';
import { demandPlayable } from '../../player/arms/check-arm.ts';
import { exploring } from '../../player/arms/exploring.ts';
import { fuguArm } from '../../player/arms/fugu.ts';
import { armNamed, arms as labArms } from '../../player/arms/index.ts';

/** Fugu with a model that is trained in the trial, and retrained after each day. */
export const RETRAINED = 'fugu-in-situ';
/** Fugu with a model that is trained on the trial's first day only (Fugu, Fig. 2.10). */
export const FROZEN = 'fugu-frozen';
/** Fugu with the package's model, which was trained in simulation on other networks (Fugu, Fig. 2.14). */
export const EMULATED = fuguArm.name;

/** The default of `--arms`: arms of the lab, and the two Fugu arms that learn in the trial. */
export const TRIAL_ARMS: readonly string[] = [
  'dashjs',
  'bba-unpaced',
  'mpc-hm-unpaced',
  'robust-mpc-hm-unpaced',
  'sammy-paper',
  EMULATED,
  RETRAINED,
  FROZEN,
];

export const learnsInTrial = (arm: string): boolean => arm === RETRAINED || arm === FROZEN;

/**
 * The day after which the arm's model for `day` was trained; null for an arm that does not learn in the trial.
 */
export function modelDay(arm: string, day: number): number | null {
  if (arm === RETRAINED) return day - 1;
  return arm === FROZEN ? 1 : null;
}

/**
 * The first day that is evaluated. Arms that learn in the trial cannot play on day 1, so day 1 is excluded if there are
 * such arms.
 */
export const firstDay = (arms: readonly string[]): number => (arms.some(learnsInTrial) ? 2 : 1);

/** Whether a model is trained on the evening of `day`. */
export const trainsOn = (arms: readonly string[], day: number): boolean =>
  arms.includes(RETRAINED) || (arms.includes(FROZEN) && day === 1);

/**
 * An arm of the lab, or one that learns in the trial, with the file of its model. A share of its segments gets a random
 * rung, because the model would otherwise learn nothing about rungs that it does not choose. Throws an Error of one
 * line for an invalid model. The plug-in would silently use HYB instead, and the trial would report HYB's results under
 * Fugu's name.
 */
export function trialArm(name: string, model: string | null, explored_pct: number): Arm {
  if (model === null) return armNamed(name);
  const file = readFileSync(model);
  try {
    readTtpModel(file);
  } catch (error) {
    throw new Error(`${model}: ${errorLine(error)}; delete it, and --resume trains it again`, {
      cause: error,
    });
  }
  const algorithm = fugu({ model: file });
  return {
    ...fuguArm,
    name,
    about: 'as fugu, with a model of the trial',
    sammy: {
      abr: explored_pct > 0 ? exploring(algorithm, explored_pct / 100) : algorithm,
      pace: algorithm,
    },
  };
}

/** Throws an Error of one line if the arms cannot be compared in one trial. */
export function checkArms(arms: readonly string[]): void {
  const known = [...labArms, { name: RETRAINED }, { name: FROZEN }];
  for (const arm of arms) named('arm', arm, known);
  demandPlayable(arms, {
    otherPlayers: ', and the viewers of a trial are models of dash.js',
    partsOfSegments: ', which the viewers of a trial do not do',
  });
  if (new Set(arms).size < arms.length || arms.length < 2)
    throw new Error(`--arms is '${arms.join(',')}', expected at least two, each once`);
  if (arms.every(learnsInTrial))
    throw new Error(
      `--arms is '${arms.join(',')}', expected one that does not learn in the trial, because only such arms play on the first day`,
    );
}

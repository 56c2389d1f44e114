import { arms as known } from '../../../player/arms/index.ts';
import { controlLook, treatmentLook, type Look } from '../../../ground/drawing/palette.ts';
import type { SessionSettings } from '../../../player/records/session-settings.ts';

/**
 * The look of an arm. The control is gray. Other arms have a look by their position in the list of arms, so that it is
 * the same in every report. The last looks are for the first arm of the list, which is rarely a treatment, and for arms
 * that are not in the list.
 */
export function armLook({ arms }: Pick<SessionSettings, 'arms'>, arm: string): Look {
  if (arm === arms[0]) return controlLook(arm);
  const index = known.findIndex(({ name }) => name === arm);
  if (index > 0) return treatmentLook(arm, index - 1);
  const others = arms.slice(1).filter((name) => known.findIndex((each) => each.name === name) <= 0);
  return treatmentLook(arm, known.length - 1 + others.indexOf(arm));
}

export const armLooks = (experiment: Pick<SessionSettings, 'arms'>): Look[] =>
  experiment.arms.map((arm) => armLook(experiment, arm));

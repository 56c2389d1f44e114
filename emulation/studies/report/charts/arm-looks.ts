import { arms as known } from '../../../player/arms/index.ts';
import { controlLook, treatmentLook, type Look } from '../../../ground/drawing/palette.ts';
import type { SessionSettings } from '../../../player/records/session-settings.ts';

/**
 * The look of an arm: neutral as the control, and otherwise the same in every report, by its place in the list of arms. After
 * these come the first of that list, which is a treatment only now and then, and arms that are not on it any more.
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

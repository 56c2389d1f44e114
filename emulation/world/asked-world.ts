import { PATIENCES } from '../viewers/patience.ts';
import { wholeNumber, type Values } from '../words.ts';
import type { World } from './demand.ts';
import { nameOf } from './name-of.ts';

/** `base` with what the options change of it. An endless patience is left out, as worlds had it before there was another. */
export function askedWorld(values: Values, base: World): World {
  const sessionsPerHour = wholeNumber(values, 'sessions-per-hour', 1) ?? base.sessionsPerHour;
  const patience = nameOf(PATIENCES, values.patience ?? 'endless', 'patience');
  return { ...base, sessionsPerHour, ...(patience !== 'endless' && { patience }) };
}

/** Says which viewers a truth is about. */
export const patienceLine = ({ patience = 'endless' }: World): string => `the viewers' patience: ${patience}`;

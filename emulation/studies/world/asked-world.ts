import type { Values } from './words.ts';
import type { World } from './demand.ts';
import type { DesignName } from './designs.ts';

/** `base` with what the options change of it. An endless patience is left out, as worlds had it before there was another. */
export function askedWorld(values: Values, base: World): World {
  const { patience = 'endless', 'sessions-per-hour': sessionsPerHour = base.sessionsPerHour } = values;
  return { ...base, sessionsPerHour, ...(patience !== 'endless' && { patience }) };
}

/**
 * How many days without treatment come before the experiment, `usual` if nobody says. Only paired links need them: there they
 * tell what the links differ by anyway.
 */
export function askedBaseline(values: Values, designs: readonly DesignName[], usual: number): number {
  const asked = values['baseline-days'];
  if (designs.includes('paired')) return asked ?? usual;
  if (asked !== undefined) throw new Error('world: --baseline-days is of --design paired');
  return 0;
}

/** Says which viewers a truth is about. */
export const patienceLine = ({ patience = 'endless' }: World): string => `the viewers' patience: ${patience}`;

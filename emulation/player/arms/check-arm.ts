import { errorLine } from '../../../system/error-line.ts';
import { resolveOptions } from '../../../src/options.ts';
import type { Arm } from './arm.ts';
import { arms } from './index.ts';

/**
 * Checks the plug-in's options of an arm before any run. Throws an Error of one line that names the arm and the option.
 */
export function checkArm({ name, sammy: { summary: _, ...options } }: Pick<Arm, 'name' | 'sammy'>): void {
  try {
    resolveOptions(options);
  } catch (error) {
    throw new Error(`arm ${name}: ${errorLine(error)}`, { cause: error });
  }
}

/**
 * The kinds of arms that a study or its place cannot play: for each, the reason or the needed option. The text follows
 * "arm NAME does not use dash.js" or "arm NAME requests parts of segments". Undefined for a kind that can be played.
 */
export interface Unplayable {
  readonly otherPlayers?: string | undefined;
  readonly partsOfSegments?: string | undefined;
}

/** Throws an Error of one line that names the first of the lab's arms that cannot be played. Ignores unknown names. */
export function demandPlayable(
  names: readonly string[],
  { otherPlayers, partsOfSegments }: Unplayable,
): void {
  for (const { name, player, parting } of arms.filter((arm) => names.includes(arm.name))) {
    if (player !== undefined && otherPlayers !== undefined)
      throw new Error(`arm ${name} does not use dash.js${otherPlayers}`);
    if (parting !== undefined && partsOfSegments !== undefined)
      throw new Error(`arm ${name} requests parts of segments${partsOfSegments}`);
  }
}

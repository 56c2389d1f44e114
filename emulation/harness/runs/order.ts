import { shuffled } from '../../ground/statistics/random.ts';
import type { PlannedRun } from './study.ts';

/**
 * Orders all runs in rounds: a round has every cell once, in random order, so that changes of the machine over hours
 * affect all cells equally.
 */
export function inRounds(runs: readonly PlannedRun[], random: () => number): PlannedRun[] {
  const rounds = [...new Set(runs.map(({ k }) => k))].sort((a, b) => a - b);
  return rounds.flatMap((round) =>
    shuffled(
      runs.filter(({ k }) => k === round),
      random,
    ),
  );
}

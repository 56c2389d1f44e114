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

/** Fisher and Yates's shuffle. */
function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

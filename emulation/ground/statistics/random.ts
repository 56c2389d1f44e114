import type { Random } from '../../../system/random/seeded-random.ts';

/**
 * Random numbers are seeded, so that two reports of the same runs are identical to the last digit. The switch draws its
 * random numbers from the same generator.
 */
export { seededRandom, type Random } from '../../../system/random/seeded-random.ts';

/** Fisher and Yates's shuffle. */
export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

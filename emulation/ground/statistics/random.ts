/**
 * Random numbers are seeded, so that two reports of the same runs are identical to the last digit. The switch draws its
 * random numbers from the same generator.
 */
export { seededRandom, type Random } from '../../../system/random/seeded-random.ts';

import { exp, ln } from './portable-math.ts';
import type { Random } from './random.ts';

/** Draws a number from a uniform distribution. */
export const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();

/** Draws a number whose logarithm is uniformly distributed: each octave is equally likely. */
export const logBetween = (random: Random, least: number, most: number): number =>
  least * exp(random() * ln(most / least));

/**
 * Draws from the standard normal distribution, approximated by the sum of twelve uniform numbers (Irwin-Hall). Unlike
 * Math.log, a sum gives the same bits in every JavaScript engine.
 */
export const normal = (random: Random): number =>
  Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);

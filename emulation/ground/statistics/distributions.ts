import { exp, ln } from './portable-math.ts';
import type { Random } from './random.ts';

/** Uniform. */
export const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();

/** Uniform in the logarithm: each octave is as likely as any other. */
export const logBetween = (random: Random, least: number, most: number): number =>
  least * exp(random() * ln(most / least));

/** A standard normal number, approximated by twelve uniform ones (Irwin-Hall), because every engine adds to the same bits. */
export const normal = (random: Random): number =>
  Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);

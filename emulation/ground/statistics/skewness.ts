import { mean } from './bootstrap.ts';

/** From so many values on, the interval of a mean is as it says also where they are skewed. */
const ENOUGH = 30;

/**
 * Are these few values so skewed that the interval of their mean, which takes them for symmetric, may hold it less often
 * than it says? By the adjusted Fisher-Pearson coefficient, above twice its standard error of normal values (Joanes and
 * Gill, The Statistician 1998). Of fewer than three values there is none.
 */
export function isSkewed(values: readonly number[]): boolean {
  const n = values.length;
  if (n < 3 || n >= ENOUGH) return false;
  const center = mean(values);
  const moment = (power: number) => mean(values.map((value) => (value - center) ** power));
  const variance = moment(2);
  if (!(variance > 0)) return false;
  const coefficient = (Math.sqrt(n * (n - 1)) / (n - 2)) * (moment(3) / variance ** 1.5);
  const error = Math.sqrt((6 * n * (n - 1)) / ((n - 2) * (n + 1) * (n + 3)));
  return Math.abs(coefficient) > 2 * error;
}

import { mean } from './bootstrap.ts';

/** From this many values up, the interval of a mean has its nominal coverage even for skewed values. */
const SUFFICIENT_COUNT = 30;

/**
 * Whether the values are so few and so skewed that a symmetric interval of their mean may have less than its nominal
 * coverage. The criterion: the adjusted Fisher-Pearson coefficient exceeds twice its standard error under normality
 * (Joanes and Gill, The Statistician 1998). It needs three values.
 */
export function isSkewed(values: readonly number[]): boolean {
  const n = values.length;
  if (n < 3 || n >= SUFFICIENT_COUNT) return false;
  const center = mean(values);
  const moment = (power: number) => mean(values.map((value) => (value - center) ** power));
  const variance = moment(2);
  if (!(variance > 0)) return false;
  const coefficient = (Math.sqrt(n * (n - 1)) / (n - 2)) * (moment(3) / variance ** 1.5);
  const error = Math.sqrt((6 * n * (n - 1)) / ((n - 2) * (n + 1) * (n + 3)));
  return Math.abs(coefficient) > 2 * error;
}

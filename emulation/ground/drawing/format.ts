import { median, mostCoverage, type Interval } from '../statistics/bootstrap.ts';

const MINUS = '−';
const digits = (maximumSignificantDigits: number) =>
  new Intl.NumberFormat('en-US', { maximumSignificantDigits });
const [three, four] = [digits(3), digits(4)];

/** A value as people read it: four digits that count at most, below 1 three. */
export const formatValue = (value: number): string =>
  (Math.abs(value) < 1 ? three : four).format(value).replace('-', MINUS);

export const formatInterval = ([low, high]: Interval): string =>
  `${formatValue(low)} to ${formatValue(high)}`;

/** One decimal, two below 1%, and always a sign: `−86.7%`. */
export const formatPct = (pct: number): string => `${formatSigned(pct)}%`;

export const formatPctInterval = ([low, high]: Interval): string =>
  `${formatSigned(low)} to ${formatSigned(high)}`;

function formatSigned(pct: number): string {
  const text = Math.abs(pct).toFixed(Math.abs(pct) < 1 ? 2 : 1);
  if (Number(text) === 0) return '0';
  return `${pct < 0 ? MINUS : '+'}${Number(text) < 1000 ? text : four.format(Number(text))}`;
}

/** A percent change on an axis. */
export const formatTick = (pct: number): string => `${pct > 0 ? '+' : ''}${formatValue(pct)}`;

/** A difference in the metric's own unit, with its sign. */
export const formatDifference = (difference: number): string =>
  `${difference > 0 ? '+' : ''}${formatValue(difference)}`;

/** A difference to two decimals, with its sign: `+0.01`. */
export function formatHundredths(difference: number): string {
  const text = Math.abs(difference).toFixed(2);
  if (Number(text) === 0) return '0';
  return `${difference < 0 ? MINUS : '+'}${text}`;
}

/** `2026-02-03 14:05 UTC`; what is no date stays as it is. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The median, with the least and the most. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${formatValue(median(values))} (${formatValue(low)} to ${formatValue(high)})`;
}

/** How often the interval of so few values can hold the true median: `75%`. */
export const coverageText = (n: number): string => `${Math.floor(100 * mostCoverage(n))}%`;

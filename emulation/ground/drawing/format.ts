import { median, mostCoverage, type Interval } from '../statistics/bootstrap.ts';

const MINUS = '−';
const digits = (maximumSignificantDigits: number) =>
  new Intl.NumberFormat('en-US', { maximumSignificantDigits });
const [three, four] = [digits(3), digits(4)];

/** Values closer to 0 are rounding errors of sums, in every unit that the lab shows. */
const ROUNDING = 1e-12;
const withoutRounding = (value: number): number => (Math.abs(value) < ROUNDING ? 0 : value);

/** Formats a value for readers: at most four significant digits, or three below 1. Rounding errors become `0`. */
export const formatValue = (value: number): string =>
  (Math.abs(value) < 1 ? three : four).format(withoutRounding(value)).replace('-', MINUS);

export const formatInterval = ([low, high]: Interval): string =>
  `${formatValue(low)} to ${formatValue(high)}`;

/** Formats with a sign and one decimal, or two below 1%: `−86.7%`. */
export const formatPct = (pct: number): string => `${formatSigned(pct)}%`;

export const formatPctInterval = ([low, high]: Interval): string =>
  `${formatSigned(low)} to ${formatSigned(high)}`;

function formatSigned(pct: number): string {
  const text = Math.abs(pct).toFixed(Math.abs(pct) < 1 ? 2 : 1);
  if (Number(text) === 0) return '0';
  return `${pct < 0 ? MINUS : '+'}${Number(text) < 1000 ? text : four.format(Number(text))}`;
}

/** Formats a percent change for an axis. */
export const formatTick = (pct: number): string =>
  `${withoutRounding(pct) > 0 ? '+' : ''}${formatValue(pct)}`;

/** Formats a difference in the metric's own unit, with its sign. */
export const formatDifference = (difference: number): string =>
  `${withoutRounding(difference) > 0 ? '+' : ''}${formatValue(difference)}`;

/** Formats a difference to two decimals, with its sign: `+0.01`. */
export function formatHundredths(difference: number): string {
  const text = Math.abs(difference).toFixed(2);
  if (Number(text) === 0) return '0';
  return `${difference < 0 ? MINUS : '+'}${text}`;
}

/** Formats an ISO date as `2026-02-03 14:05 UTC`; returns an invalid date unchanged. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats the median with the minimum and maximum. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${formatValue(median(values))} (${formatValue(low)} to ${formatValue(high)})`;
}

/** Formats the maximum coverage of a median's interval from n values: `75%`. */
export const coverageText = (n: number): string => `${Math.floor(100 * mostCoverage(n))}%`;

import type { Row } from '../../../../emulation/studies/paper/claims/exhibit.ts';
import {
  isNumbers,
  getPoint,
  type Numbers,
  type Value,
} from '../../../../emulation/studies/paper/claims/value.ts';

/** A bar on an axis. Positions and widths are in percent of the axis's length. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  /** The position of the value 0. */
  readonly zero: number;
  /** The value's interval, or null. */
  readonly interval: { readonly left: number; readonly width: number } | null;
}

const listPoints = (value: Numbers): readonly number[] => (typeof value === 'number' ? [value] : value);

/** Returns the bars of both values of a row, from zero, on a common axis. Null unless both values are numbers. */
export function makeBars({ paper, ours }: Row): { paper: Bar; ours: Bar } | null {
  if (!isNumbers(paper) || !isNumbers(ours)) return null;
  const points = [0, ...listPoints(paper), ...listPoints(ours)];
  const least = Math.min(...points);
  const length = Math.max(...points) - least || 1;
  const span = (from: number, to: number) => ({
    left: (100 * (Math.min(from, to) - least)) / length,
    width: (100 * Math.abs(to - from)) / length,
  });
  const bar = (value: Numbers): Bar => ({
    ...span(0, getPoint(value)),
    zero: span(0, 0).left,
    interval: typeof value === 'number' ? null : span(value[1], value[2]),
  });
  return { paper: bar(paper), ours: bar(ours) };
}

const NBSP = '\u{a0}';
const SIGNED = new Set(['%', 'dB', 'points']);

/**
 * The number of significant digits of our numbers on a card. The JSON files contain all digits. A paper's numbers keep
 * their printed digits.
 */
export const OURS_DIGITS = 3;

/** Formats one of a row's values: '−61% (−61.8 to −60.2)'. Changes have a sign. Intervals do not wrap. */
export function valueWords(
  value: Value | null,
  { unit, level = false }: Row,
  maximumSignificantDigits?: number,
): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value.replaceAll('-', '−');
  const words = (number: number) =>
    `${!level && SIGNED.has(unit) && number > 0 ? '+' : ''}${number.toLocaleString('en-US', maximumSignificantDigits === undefined ? { maximumFractionDigits: 4 } : { maximumSignificantDigits })}`.replace(
      '-',
      '−',
    );
  const [, ...ends] = listPoints(value);
  const suffix = unit === '' ? '' : unit === '%' ? '%' : ` ${unit}`;
  return `${words(getPoint(value))}${suffix}${ends.length ? ` (${ends.map(words).join(`${NBSP}to${NBSP}`)})` : ''}`;
}

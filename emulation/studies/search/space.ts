import { SMOOTH_OPTIONS, TUNED_OPTIONS, type TunedArm } from '../../player/arms/tuned.ts';
import { DEFAULTS } from '../../../src/options.ts';

/**
 * A parameter in the optimizer's format. A parameter with `when` applies only if other parameters have those values.
 */
export type Parameter =
  | { readonly name: string; readonly choices: readonly string[] }
  | {
      readonly name: string;
      readonly low: number;
      readonly high: number;
      /** Whether values are drawn uniformly on a logarithmic scale. */
      readonly log?: boolean;
      readonly when?: Readonly<Record<string, string>>;
    };

export type Point = Readonly<Record<string, number | string>>;

const ALGORITHM_1 = { pace: 'algorithm-1' } as const;
const SMOOTH = { pace: 'smooth' } as const;

/**
 * The parameters of the search. The ranges include all reasonable values: a pace of one to four times the video's
 * bitrate, a reserve from two segments to nearly dash.js's whole buffer (30 s), and HYB from cautious to aggressive.
 */
export const SPACE: readonly Parameter[] = [
  { name: 'pace', choices: [ALGORITHM_1.pace, SMOOTH.pace] },
  { name: 'beta', low: 0.5, high: 1 },
  { name: 'lookahead_s', low: 2, high: 60, log: true },
  { name: 'safe_buffer_s', low: 2, high: 25, log: true },
  { name: 'c0', low: 1, high: 4, when: ALGORITHM_1 },
  { name: 'c1', low: 1, high: 4, when: ALGORITHM_1 },
  { name: 'reserve_s', low: 4, high: 28, when: SMOOTH },
  { name: 'growth', low: 0.5, high: 5, log: true, when: SMOOTH },
  { name: 'ample', low: 1, high: 3, when: SMOOTH },
  { name: 'horizon_s', low: 8, high: 120, log: true, when: SMOOTH },
];

const { beta, lookahead_s, safe_buffer_s, c0, c1 } = DEFAULTS;
const hyb = { beta, lookahead_s, safe_buffer_s };

/**
 * The defaults of the plug-in, and of `smooth()`, as points. They are tried first, and all other points are compared
 * with them.
 */
export const DEFAULT_POINTS: Readonly<Record<'default' | 'default-smooth', Point>> = {
  default: { ...ALGORITHM_1, ...hyb, c0, c1 },
  'default-smooth': { ...SMOOTH, ...hyb, reserve_s: 15, growth: 2, ample: 1.25, horizon_s: 60 },
};

/** The number of significant digits of constants; more would suggest a false precision. */
const DIGITS = 3;

/** Rounds a point to three significant digits, as it is tried and reported. */
const roundedPoint = (point: Point): Point =>
  Object.fromEntries(
    Object.entries(point).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value,
    ]),
  );

/** Converts a point to an arm that is otherwise identical to `sammy-paper`. */
export function makePointArm(point: Point, name: string, about: string): TunedArm {
  const rounded = roundedPoint(point);
  const only = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(rounded).filter(([each]) => names.includes(each)));
  return {
    name,
    about,
    base: 'sammy-paper',
    options: only(TUNED_OPTIONS),
    ...(point.pace === SMOOTH.pace && { smooth: only(SMOOTH_OPTIONS) }),
  };
}

/** The arm with which others are compared: HYB with default constants, without a pace. */
export const UNPACED = 'initial-only';

/** Describes a point for readers: `c0 3.2, c1 2.8, beta 0.8`. */
export const describePoint = (point: Point): string =>
  Object.entries(roundedPoint(point))
    .map(([name, value]) => (name === 'pace' ? String(value) : `${name} ${value}`))
    .join(', ');

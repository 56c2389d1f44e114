import { isRecord } from './is-record.ts';
import type { AbrAlgorithm } from './abr.ts';
import type { PacePolicy } from './pace.ts';
import type { SegmentSizes } from './segments.ts';
import { readSidecar, type Sidecar } from './sidecar.ts';

/** What Sammy can be told. Everything has a default; units are in the names. */
export interface SammyOptions {
  /**
   * Who picks the rungs: `hyb` (HYB with lookahead), an algorithm of your own, or `player`, which leaves
   * dash.js's own rules in charge.
   */
  readonly abr?: 'hyb' | 'player' | AbrAlgorithm;
  /** Ask the server for a pace. Off, Sammy only chooses rungs and measures. */
  readonly pacing?: boolean;
  /** Who picks the paces: `sammy` (Algorithm 1, by `c0` and `c1`), or a policy of your own. */
  readonly pace?: 'sammy' | PacePolicy;
  /**
   * Pace as a multiple of the top bitrate at an empty buffer; 0.1 to 100. 3.2 is Sammy's (§5). Useful from
   * 1.1 / (0.9 β) on, which is 1.53 at β = 0.8 (0.9 is a paced download's goodput, 1.1 is HYB's margin for going up):
   * below, Eq. 1 sets the pace, and with a short buffer the time until it is empty.
   */
  readonly c0?: number;
  /**
   * Pace as a multiple of the top bitrate at a full buffer B; 0.1 to 100. 2.8 is Sammy's (§5). Useful from
   * 1.1 / (0.9 β (1 + B / D_T)) on, and from 1.11 for the buffer to stay full: below, the buffer drains until
   * Eq. 1 or the segment's own bitrate sets the pace.
   */
  readonly c1?: number;
  /** HYB's β: the share of the throughput estimate to rely on; 0.05 to 1. */
  readonly beta?: number;
  /** HYB's lookahead D_T; 1 to 120 s. */
  readonly lookahead_s?: number;
  /** After a stall, or a seek that emptied the buffer: the buffer from which on to pace again; 1 to 120 s. */
  readonly safe_buffer_s?: number;
  /** Never ask for more than this; at least 100 kbit/s. */
  readonly ceiling_kbps?: number;
  /** Throughput to start from when nothing is remembered; dash.js starts from the same 1000 kbit/s. */
  readonly default_throughput_kbps?: number;
  /**
   * How `rtp` travels: in the URL, or in the CMCD-Status header. A request that carries CMCD already takes it along in
   * the same way. A cache that keeps the query in its key stores each `rtp` as another copy, two or three of a segment:
   * take the parameter `CMCD` out of the key, or choose the header. To another origin the header costs a CORS
   * preflight for each URL: over a round trip of 40 ms, a segment's first byte comes after 86 ms instead of
   * 45 (`npm run bench`). Choose it where the URL must stay as it is (a signed one, or a cache's key that cannot be
   * changed), or where a representation is one file, whose preflight the browser remembers.
   */
  readonly cmcd?: 'query' | 'header';
  /** Sizes and quality of the segments, as `npm run media` writes them; lets HYB look ahead over real sizes. */
  readonly sidecar?: Sidecar | undefined;
  /** Another source of segment sizes. */
  readonly sizes?: SegmentSizes | undefined;
}

export type ResolvedOptions = Required<Omit<SammyOptions, 'sidecar' | 'sizes'>> &
  Pick<SammyOptions, 'sidecar' | 'sizes'>;

export const DEFAULTS: ResolvedOptions = Object.freeze({
  abr: 'hyb',
  pacing: true,
  pace: 'sammy',
  c0: 3.2,
  c1: 2.8,
  beta: 0.8,
  lookahead_s: 10,
  safe_buffer_s: 10,
  ceiling_kbps: Infinity,
  default_throughput_kbps: 1000,
  cmcd: 'query',
});

const RANGES = {
  c0: [0.1, 100],
  c1: [0.1, 100],
  beta: [0.05, 1],
  lookahead_s: [1, 120],
  safe_buffer_s: [1, 120],
  ceiling_kbps: [100, Infinity],
  default_throughput_kbps: [1, 100_000_000],
} as const;

/**
 * Fills in the defaults. Throws an Error that names the option, its value and what was expected.
 */
export function resolveOptions(options: SammyOptions, base: ResolvedOptions = DEFAULTS): ResolvedOptions {
  const refuse = (name: string, value: unknown, expected: string): never => {
    throw new Error(
      `option ${name} is ${typeof value === 'string' ? `'${value}'` : String(value)}, expected ${expected}`,
    );
  };
  for (const name of Object.keys(options)) {
    const known = Object.hasOwn(DEFAULTS, name) || name === 'sidecar' || name === 'sizes';
    if (!known)
      throw new Error(`unknown option ${name}; known: ${Object.keys(DEFAULTS).join(', ')}, sidecar, sizes`);
  }
  // Undefined means as before; it clears what has no default.
  const given = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => value !== undefined || !Object.hasOwn(DEFAULTS, name)),
  );
  const resolved: ResolvedOptions = { ...base, ...given };

  for (const [name, [low, high]] of Object.entries(RANGES) as [
    keyof typeof RANGES,
    readonly [number, number],
  ][]) {
    const value: unknown = resolved[name];
    if (typeof value !== 'number' || !(value >= low && value <= high)) {
      refuse(name, value, `a number from ${low} to ${high}`);
    }
  }
  if (typeof resolved.pacing !== 'boolean') refuse('pacing', resolved.pacing, 'true or false');
  if (!['query', 'header'].includes(resolved.cmcd)) refuse('cmcd', resolved.cmcd, "'query' or 'header'");
  const { abr, pace, sizes, sidecar } = resolved;
  const isAlgorithm = hasMethods(abr, 'choose', 'requiredThroughput');
  if (abr !== 'hyb' && abr !== 'player' && !isAlgorithm) {
    refuse('abr', abr, "'hyb', 'player' or an algorithm with choose() and requiredThroughput()");
  }
  if (pace !== 'sammy' && !hasMethods(pace, 'choosePace')) {
    refuse('pace', pace, "'sammy' or a policy with choosePace()");
  }
  if (sizes !== undefined && !hasMethods(sizes, 'upcoming'))
    refuse('sizes', sizes, 'an object with upcoming()');
  if (sidecar !== undefined) readSidecar(sidecar);
  return resolved;
}

/** Not every application is written in TypeScript. */
const hasMethods = (value: unknown, ...names: string[]): boolean =>
  isRecord(value) && names.every((name) => typeof value[name] === 'function');

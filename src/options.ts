import { demand } from './demand.ts';
import { isRecord } from './records.ts';
import type { AbrAlgorithm } from './abr/abr.ts';
import type { PacePolicy } from './pace/pace.ts';
import type { SegmentSizes } from './film/segments.ts';
import { readSidecar, type Sidecar } from './film/sidecar.ts';

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

/** What an option must be, and how an error says so. */
type Check = readonly [holds: (value: unknown) => boolean, expected: string];

const between = (low: number, high: number): Check => [
  (value) => typeof value === 'number' && value >= low && value <= high,
  `a number from ${low} to ${high}`,
];

const CHECKS: Readonly<Record<keyof SammyOptions, Check>> = {
  abr: [
    (abr) => abr === 'hyb' || abr === 'player' || hasMethods(abr, 'choose', 'requiredThroughput'),
    "'hyb', 'player' or an algorithm with choose() and requiredThroughput()",
  ],
  pacing: [(pacing) => typeof pacing === 'boolean', 'true or false'],
  pace: [
    (pace) => pace === 'sammy' || hasMethods(pace, 'choosePace'),
    "'sammy' or a policy with choosePace()",
  ],
  c0: between(0.1, 100),
  c1: between(0.1, 100),
  beta: between(0.05, 1),
  lookahead_s: between(1, 120),
  safe_buffer_s: between(1, 120),
  ceiling_kbps: between(100, Infinity),
  default_throughput_kbps: between(1, 100_000_000),
  cmcd: [(cmcd) => cmcd === 'query' || cmcd === 'header', "'query' or 'header'"],
  // It says itself which of its fields is wrong.
  sidecar: [(sidecar) => sidecar === undefined || sidecar === readSidecar(sidecar), 'a sidecar'],
  sizes: [(sizes) => sizes === undefined || hasMethods(sizes, 'upcoming'), 'an object with upcoming()'],
};

/** Not every application is written in TypeScript. */
const hasMethods = (value: unknown, ...names: string[]): boolean =>
  isRecord(value) && names.every((name) => typeof value[name] === 'function');

/**
 * Fills in what `base` has. Throws an Error that names the option, its value and what was expected.
 */
export function resolveOptions(options: SammyOptions, base: ResolvedOptions = DEFAULTS): ResolvedOptions {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!Object.hasOwn(CHECKS, name)) {
      throw new Error(`unknown option ${name}; known: ${Object.keys(CHECKS).join(', ')}`);
    }
    // Undefined means as before; it clears what has no default.
    if (value === undefined && Object.hasOwn(DEFAULTS, name)) continue;
    const [holds, expected] = CHECKS[name as keyof SammyOptions];
    demand(holds(value), `option ${name}`, value, expected);
    given[name] = value;
  }
  return { ...base, ...given };
}

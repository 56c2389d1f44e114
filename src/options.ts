import { inRange, checkOption, type Check } from './check-option.ts';
import { hasMethods } from './records.ts';
import type { AbrAlgorithm, AbrOptions } from './abr/abr.ts';
import { ALGORITHMS, type AbrName } from './abr/algorithms.ts';
import { hybChecks } from './abr/hyb.ts';
import type { PacePolicy } from './pace/pace.ts';
import type { SegmentSizes } from './film/segments.ts';

/** The options of the plug-in. Names end with the unit. */
export interface SammyOptions {
  /**
   * The algorithm that chooses rungs: `careful` (HYB with a reserve), `hyb` (HYB with lookahead, as in the paper), an
   * algorithm of `dashjs-sammy/abr`, a custom algorithm, or `player`, which leaves the choice to the player's own
   * rules.
   * @defaultValue 'careful'
   */
  readonly abr?: AbrName | 'player' | AbrAlgorithm;
  /**
   * Whether to request a pace from the server. If false, Sammy only chooses rungs and measures.
   * @defaultValue true
   */
  readonly pacing?: boolean;
  /**
   * The policy that chooses paces: `sammy` (Algorithm 1 of the paper, with `c0` and `c1`), `adaptive` (the same, but
   * paced slightly below the network's throughput if Algorithm 1's pace is higher), or a custom policy.
   * @defaultValue 'adaptive'
   */
  readonly pace?: 'adaptive' | 'sammy' | PacePolicy;
  /**
   * Pace at an empty buffer, as a multiple of the top bitrate; 0.1 to 100. The Sammy paper uses 3.2 (§5). Values below
   * 1.2 / (0.9 β), which is 1.67 at β = 0.8, have no effect, because the pace is raised to the paper's Eq. 1 or, at a
   * low buffer level, so that the segment arrives in time. (0.9 is the goodput of a paced download as a share of its
   * pace, and 1.2 is HYB's margin for a switch up.)
   * @defaultValue 3.2
   */
  readonly c0?: number;
  /**
   * Pace at a full buffer B, as a multiple of the top bitrate; 0.1 to 100. The Sammy paper uses 2.8 (§5). Values below
   * 1.2 / (0.9 β (1 + B / D_T)) have no effect; D_T is `lookahead_s`. With values below 1 / 0.9 = 1.11, the buffer does
   * not stay full: it drains until the paper's Eq. 1 or the segment's own bitrate determines the pace.
   * @defaultValue 2.8
   */
  readonly c1?: number;
  /**
   * HYB's β: the fraction of the throughput estimate to use; 0.05 to 1.
   * @defaultValue 0.8
   */
  readonly beta?: number;
  /**
   * HYB's lookahead D_T; 1 to 120 s.
   * @defaultValue 10
   */
  readonly lookahead_s?: number;
  /**
   * Buffer level at which pacing resumes after a stall, or after a seek that emptied the buffer; 1 to 120 s.
   * @defaultValue 10
   */
  readonly safe_buffer_s?: number;
  /**
   * The highest pace to request; at least 100 kbit/s.
   * @defaultValue Infinity
   */
  readonly ceiling_kbps?: number;
  /**
   * The highest video bitrate to choose, kbit/s; at least 1. The lowest rung is always allowed. Does not apply to
   * dash.js's own rules (`abr: 'player'`); use dash.js's setting `streaming.abr.maxBitrate` for those.
   * @defaultValue Infinity
   */
  readonly max_bitrate_kbps?: number;
  /**
   * Throughput estimate of a first session without any history, kbit/s; at least 1. The default equals that of dash.js.
   * In hls.js, any other value also replaces hls.js's own choice of the first level.
   * @defaultValue 1000
   */
  readonly default_throughput_kbps?: number;
  /**
   * How to send `rtp`: in the URL's query, or in the CMCD-Status header. If a request already has CMCD, `rtp` is added
   * to its keys. A cache whose key includes the query stores one copy of a segment per `rtp` value: remove the
   * parameter `CMCD` from the key, or choose the header. The header requires a CORS preflight for each URL of another
   * origin: at a round-trip time of 40 ms, the first byte of a segment arrives after 86 ms instead of 45 ms (`npm run
   * bench`). Choose the header if the URL must not change (it is signed, or the cache key is fixed), or if a
   * representation is a single file, because the browser then caches the preflight.
   * @defaultValue 'query'
   */
  readonly cmcd?: 'query' | 'header';
  /**
   * The result of `sidecar(URL)`: sizes and quality of the segments, as written by `npm run media`. Algorithms use
   * these instead of nominal bitrates. Like `sizes`, this option is removed when the player unloads the video.
   * @defaultValue undefined
   */
  readonly sidecar?: SegmentSizes | undefined;
  /**
   * A custom source of segment sizes.
   * @defaultValue undefined
   */
  readonly sizes?: SegmentSizes | undefined;
}

export type ResolvedOptions = AbrOptions &
  Required<Omit<SammyOptions, 'sidecar' | 'sizes'>> &
  Pick<SammyOptions, 'sidecar' | 'sizes'>;

export const DEFAULTS: ResolvedOptions = Object.freeze({
  abr: 'careful',
  pacing: true,
  pace: 'adaptive',
  c0: 3.2,
  c1: 2.8,
  beta: 0.8,
  lookahead_s: 10,
  safe_buffer_s: 10,
  ceiling_kbps: Infinity,
  max_bitrate_kbps: Infinity,
  default_throughput_kbps: 1000,
  cmcd: 'query',
});

/** The names that the option `abr` accepts. */
const ABR_NAMES: readonly unknown[] = [...Object.keys(ALGORITHMS), 'player'];

const SIZES: Check = [
  (sizes) => hasMethods(sizes, 'upcoming'),
  'an object with upcoming(), as sidecar() gives',
];

const CHECKS: Readonly<Record<keyof SammyOptions, Check>> = {
  abr: [
    (abr) => ABR_NAMES.includes(abr) || hasMethods(abr, 'session'),
    `'${ABR_NAMES.join("', '")}' or an algorithm with session(), as in dashjs-sammy/abr`,
  ],
  pacing: [(pacing) => typeof pacing === 'boolean', 'true or false'],
  pace: [
    (pace) => pace === 'adaptive' || pace === 'sammy' || hasMethods(pace, 'choosePace'),
    "'adaptive', 'sammy' or a policy with choosePace()",
  ],
  c0: inRange(0.1, 100),
  c1: inRange(0.1, 100),
  ...hybChecks(),
  safe_buffer_s: inRange(1, 120),
  ceiling_kbps: inRange(100, Infinity),
  max_bitrate_kbps: inRange(1, Infinity),
  default_throughput_kbps: inRange(1, 100_000_000),
  cmcd: [(cmcd) => cmcd === 'query' || cmcd === 'header', "'query' or 'header'"],
  sidecar: SIZES,
  sizes: SIZES,
};

/**
 * Returns `options`, completed by `base`. Throws an Error that names an invalid option, its value and the valid values.
 */
export function resolveOptions(options: SammyOptions, base: ResolvedOptions = DEFAULTS): ResolvedOptions {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!Object.hasOwn(CHECKS, name)) {
      throw new Error(`unknown option ${name}; known: ${Object.keys(CHECKS).join(', ')}`);
    }
    if (value !== undefined) checkOption(name, value, CHECKS[name as keyof SammyOptions]);
    // An undefined value keeps the value of `base`, or removes an option that has no default.
    if (value !== undefined || !Object.hasOwn(DEFAULTS, name)) given[name] = value;
  }
  return { ...base, ...given };
}

import { HYB } from '../../../../src/abr/hyb.ts';
import type { AbrState } from '../../../../src/abr/abr.ts';
import { makeLadder, topRung, type Ladder } from '../../../../src/film/ladder.ts';
import { algorithm1 } from '../../../../src/pace/algorithm-1.ts';
import { kbps, seconds } from '../../../../src/units.ts';
import { mean } from '../../../ground/statistics/bootstrap.ts';
import { seededRandom, type Random } from '../../../ground/statistics/random.ts';
import type { Measurement } from '../measurement.ts';
import type { Values } from '../claims/evidence.ts';

/** Sammy's own pace multipliers (§5). */
const PACES = { c0: 3.2, c1: 2.8 };
const STATES = 500;
const LONGEST_BUFFER_S = 60;
/** The precision of the search for the lowest throughput, kbit/s. */
const PRECISION_KBPS = 0.01;

/** Compares the bound of Sammy Eq. 1 with HYB's actual choices. */
export const paceBound: Measurement = {
  name: 'pace-bound',
  about:
    'The least throughput at which HYB picks the top rung, searched by asking it, over the bound of Eq. 1: 500 drawn states of the player a seed, with segments of constant bitrate. Buffers below a segment are left out, but for empty ones. Above it, the pace that Algorithm 1 chooses, over the bound.',
  cost_s: { quick: 2, full: 2 },
  seeds: { quick: 5, full: 10 },
  measure: ({ seed }) => measure(seededRandom(seed)),
};

function measure(random: Random): Values {
  const ratiosAt = (drawBuffer_s: () => number) =>
    Array.from({ length: STATES }, () => computeRatios(draw(random, drawBuffer_s())));
  const [empty, filled] = [ratiosAt(() => 0), ratiosAt(() => 6 + (LONGEST_BUFFER_S - 6) * random())];
  const of = (ratios: ReturnType<typeof ratiosAt>) => ({
    least_over_bound: mean(ratios.map(({ least }) => least)),
    worst_off_pct: Math.max(...ratios.map(({ least }) => 100 * Math.abs(least - 1))),
    least_pace_over_bound_less_1: Math.min(...ratios.map(({ pace }) => pace)) - 1,
  });
  return { 'empty buffer': of(empty), 'filled buffer': of(filled) };
}

interface Drawn {
  readonly state: Omit<AbrState, 'throughput'>;
  readonly options: { readonly beta: number; readonly lookahead_s: number };
  readonly ladder: Ladder;
}

function draw(random: Random, buffer_s: number): Drawn {
  const top_kbps = 1000 + 19_000 * random();
  const ladder = makeLadder(
    [0.1, 0.25, 0.5, 1].map((share, at) => ({ id: String(at), bandwidth: 1000 * share * top_kbps })),
  );
  if (!ladder) throw new Error('a ladder without rungs');
  const segment_s = 2 + 4 * random();
  return {
    ladder,
    options: { beta: 0.5 + 0.4 * random(), lookahead_s: segment_s * (2 + Math.floor(5 * random())) },
    state: {
      ...{ mediaType: 'video', ladder, playbackRate: 1, lowLatency: false, downloads: [] },
      ...{ buffer: seconds(buffer_s), maxBuffer: seconds(LONGEST_BUFFER_S) },
      ...{ bufferTarget: seconds(LONGEST_BUFFER_S), nextSegmentAt: seconds(0) },
      segmentDuration: seconds(segment_s),
    },
  };
}

function computeRatios({ state, options, ladder }: Drawn): { least: number; pace: number } {
  const session = HYB.session(options);
  const top = topRung(ladder);
  const picksTop = (throughput: number) =>
    session.choose({ ...state, throughput: kbps(throughput) }).rung === top;
  let [low, high] = [0, 100 * top.bitrate_kbps];
  while (high - low > PRECISION_KBPS) {
    const middle = (low + high) / 2;
    if (picksTop(middle)) high = middle;
    else low = middle;
  }
  const bound = top.bitrate_kbps / options.beta / (1 + state.buffer / options.lookahead_s);
  const { pace } = algorithm1(PACES).choosePace({
    ...{ phase: 'playing', rung: top, maxBuffer: state.maxBuffer, abr: session },
    state: { ...state, throughput: kbps(high) },
    carried: [],
  });
  return { least: high / bound, pace: (pace ?? Infinity) / bound };
}

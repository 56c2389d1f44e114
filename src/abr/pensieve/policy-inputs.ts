import { kbps } from '../../units.ts';
import type { AbrState } from '../abr.ts';
import { nextSegment } from '../lookahead.ts';
import { harmonicMean } from '../predict.ts';
import { bitrateQuality } from '../qoe.ts';
import { networkTime, throughputSample } from '../samples.ts';

/** The number of past downloads in the inputs (Pensieve, SIGCOMM 2017, §5.1). */
const HISTORY = 8;
/** Throughput, time and pace limit of each download; the number of downloads; the estimate; the buffer level in three forms. */
export const SHARED_INPUTS = 3 * HISTORY + 5;
/**
 * Inputs per rung: size and expected time of its next segment; quality relative to the lowest and to the previous rung, and
 * the size of that change; whether it is the previous rung.
 */
export const RUNG_INPUTS = 6;

/** The quality measure in a policy's reward. */
export type Reward = 'bitrate' | 'ssim';

export interface PolicyInputs {
  readonly shared: Float64Array;
  /** The inputs of each rung, from the lowest. */
  readonly rungs: Float64Array;
}

/** Divisors that bring inputs to about 1. */
const [BUFFER_SCALE_S, SSIM_SCALE_DB] = [10, 5];
/** Smaller values are raised to this before their logarithm is taken. */
const LEAST = 1e-3;

/**
 * Returns the inputs of a state, in the order of the policy's weights. As published: throughput and time of each of the
 * last eight downloads, the buffer level, the sizes of the next segment, and the previous rung. The number of segments
 * left is omitted, as in Puffer's thesis (§2.2.3). Added here: which downloads a pace limited, the throughput estimate,
 * the quality of each rung's next segment, and its download time at the harmonic mean of the latest samples. Missing
 * values are 0. Sizes, times and rates span orders of magnitude, so their logarithms are used.
 */
export function policyInputs(state: AbrState, reward: Reward): PolicyInputs {
  const { buffer, bufferTarget, playbackRate, throughput, downloads } = state;
  const shared = new Float64Array(SHARED_INPUTS);
  const past = downloads.slice(-HISTORY).reverse();
  past.forEach((download, back) => {
    shared[back] = boundedLog(throughputSample(download, throughput) / 1000);
    shared[HISTORY + back] = boundedLog(networkTime(download));
    shared[2 * HISTORY + back] = download.pace_limited ? 1 : 0;
  });
  const ahead_s = buffer / playbackRate;
  shared.set(
    [
      past.length / HISTORY,
      boundedLog(throughput / 1000),
      ahead_s / BUFFER_SCALE_S,
      Math.log1p(ahead_s),
      bufferTarget > 0 ? Math.min(2, buffer / bufferTarget) : 1,
    ],
    3 * HISTORY,
  );
  return { shared, rungs: rungInputs(state, reward) };
}

function rungInputs(state: AbrState, reward: Reward): Float64Array {
  const { ladder, previous } = state;
  const rungs = new Float64Array(RUNG_INPUTS * ladder.length);
  const quality = rungQualities(state, reward);
  const before = ladder.findLastIndex(({ bitrate_kbps }) => bitrate_kbps <= (previous?.bitrate_kbps ?? 0));
  const carried = Math.max(
    LEAST,
    harmonicMean({ ...state, throughput: kbps(Math.max(1, state.throughput)) }),
  );
  ladder.forEach((rung, index) => {
    const { size } = nextSegment(state, rung);
    const own = quality[index] ?? 0;
    const change = own - (quality[Math.max(0, before)] ?? 0);
    rungs.set(
      [
        boundedLog((size * 8) / 1e6),
        boundedLog((size * 8) / 1000 / carried),
        own,
        change,
        Math.abs(change),
        index === before ? 1 : 0,
      ],
      RUNG_INPUTS * index,
    );
  });
  return rungs;
}

/** Quality by rung, relative to the lowest: Mbit/s, or SSIM. If any segment has no SSIM, it is derived from the bitrates. */
function rungQualities(state: AbrState, reward: Reward): number[] {
  const { ladder } = state;
  const [lowest] = ladder;
  if (reward === 'bitrate')
    return ladder.map(({ bitrate_kbps }) => (bitrate_kbps - lowest.bitrate_kbps) / 1000);
  const known = ladder.map((rung) => nextSegment(state, rung).ssim_db);
  const least = known[0];
  return ladder.map((rung, index) => {
    const ssim_db = known.includes(undefined)
      ? bitrateQuality(state, rung)
      : (known[index] ?? 0) - (least ?? 0);
    return ssim_db / SSIM_SCALE_DB;
  });
}

const boundedLog = (value: number): number => Math.log(Math.max(LEAST, value));

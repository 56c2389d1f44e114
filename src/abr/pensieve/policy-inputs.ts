import { kbps } from '../../units.ts';
import type { AbrState } from '../abr.ts';
import { nextSegment } from '../lookahead.ts';
import { harmonicMean } from '../predict.ts';
import { bitrateQuality } from '../qoe.ts';
import { networkTime, sampleOf } from '../samples.ts';

/** So many past downloads are looked at (Pensieve, SIGCOMM 2017, §5.1). */
const HISTORY = 8;
/** Throughput, time, and whether a pace was the limit, of each; how many there are; the estimate; the buffer three times. */
export const SHARED_INPUTS = 3 * HISTORY + 5;
/** Of a rung: its next segment's size and expected time; its quality beside the lowest's and the previous one's; whether it is that one. */
export const RUNG_INPUTS = 6;

/** What a policy was rewarded for. */
export type Reward = 'bitrate' | 'ssim';

/** What a policy looks at before a choice. */
export interface PolicyInputs {
  readonly shared: Float64Array;
  /** A rung's after the other's, from the lowest. */
  readonly rungs: Float64Array;
}

/** So that inputs are of about the size of 1. */
const [BUFFER_SCALE_S, SSIM_SCALE_DB] = [10, 5];
/** What takes no time, or has no size, is as this much. */
const LEAST = 1e-3;

/**
 * The inputs of a state, in the order of the policy's weights. As published: throughput and time of each of the last eight
 * downloads, the buffer, the sizes of the next segment, and the previous rung, but not how many segments are left, as in
 * Puffer (thesis §2.2.3). Ours: which downloads a pace limited, the estimate of the throughput, the quality of each rung's next
 * segment, and its time at the harmonic mean. What is missing is 0. Sizes, times and rates are spread over decades, so that their logarithms are looked at.
 */
export function policyInputs(state: AbrState, reward: Reward): PolicyInputs {
  const { buffer, bufferTarget, playbackRate, throughput, downloads } = state;
  const shared = new Float64Array(SHARED_INPUTS);
  const past = downloads.slice(-HISTORY).reverse();
  past.forEach((download, back) => {
    shared[back] = logOf(sampleOf(download, throughput) / 1000);
    shared[HISTORY + back] = logOf(networkTime(download));
    shared[2 * HISTORY + back] = download.pace_limited ? 1 : 0;
  });
  const ahead_s = buffer / playbackRate;
  shared.set(
    [
      past.length / HISTORY,
      logOf(throughput / 1000),
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
  const quality = qualitiesOf(state, reward);
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
        logOf((size * 8) / 1e6),
        logOf((size * 8) / 1000 / carried),
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

/** By rung, beside the lowest's: Mbit/s, or SSIM; what SSIM would be by the bitrate where it is not known of all. */
function qualitiesOf(state: AbrState, reward: Reward): number[] {
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

const logOf = (value: number): number => Math.log(Math.max(LEAST, value));

import { REWARDS } from '../../../emulation/studies/learn-rule/reward.ts';
import { Timeline } from '../../../emulation/player/model/player/timeline.ts';
import type { SimulatedResult } from '../../../emulation/player/model/simulated-session.ts';
import { PATIENCES } from '../../../emulation/player/light/patience.ts';
import type { Reward } from '../../../src/abr/pensieve/policy-inputs.ts';
import { computeExperience } from '../foreknowledge/experience.ts';
import { findWatched } from '../foreknowledge/watched.ts';
import type { Film } from '../play.ts';

/** The measures of a session, with their units. */
export const MEASURES = {
  /** Mean per segment of bitrate - |change of bitrate| - 4.3 × stalled seconds (Pensieve's QoE_lin). */
  bitrate_reward: 'Mbit/s',
  /** Mean per segment of SSIM - |change of SSIM| - 100 × stalled seconds (Puffer's thesis, Eq. 2.1). */
  ssim_reward: 'dB',
  /**
   * The SSIM minus the SSIM of the same video at the constant bitrate that fetches as many bytes. Interpolated between
   * rungs.
   */
  ssim_for_bytes_db: 'dB',
  ssim_db: 'dB',
  /** All fetched video, watched or not, divided by the time watched. */
  fetched_mbps: 'Mbit/s',
  stalled_pct: '%',
  /** Watch time of viewers who leave because of stalls (`krishnan-sitaraman`), in percent of their intended time. */
  stay_pct: '%',
  chunk_throughput_mbps: 'Mbit/s',
} as const;
export type Measure = keyof typeof MEASURES;
export type Outcome = Readonly<Record<Measure, number>>;

export function measureOutcome(result: SimulatedResult, film: Film, seconds: number): Outcome {
  const { summary, decisions } = result;
  const { mean_ssim_db, rebuffer_ratio, chunk_throughput_kbps } = summary;
  const watched = findWatched(result, film, seconds);
  const { durations_s, bytes, ssim_db } = readSidecar(film);
  const rewardBy = (reward: Reward) =>
    computeExperience(
      watched,
      watched.rungs.map((_, segment) =>
        film.ladders.video.map((rung, index) =>
          reward === 'bitrate' ? rung.bitrate_kbps / 1000 : (ssim_db[index]?.[segment] ?? NaN),
        ),
      ),
      REWARDS[reward].mu_per_s,
    );
  const watched_s = watched.rungs.reduce((sum, _, segment) => sum + (durations_s[segment] ?? 0), 0);
  const fetched = decisions.filter(
    ({ media_type, segment_start_s }) => media_type === 'video' && segment_start_s < watched_s,
  );
  const fetched_mbps = (fetched.reduce((sum, { size_bytes }) => sum + size_bytes, 0) * 8) / 1e6 / watched_s;
  const count = watched.rungs.length;
  const curve = bytes.map((sizes, rung) => ({
    mbps: (partialSum(sizes, count) * 8) / 1e6 / watched_s,
    ssim_db: partialSum(ssim_db[rung] ?? [], count) / count,
  }));
  const { lost_per_stalled_s } = PATIENCES['krishnan-sitaraman'];
  return {
    bitrate_reward: rewardBy('bitrate'),
    ssim_reward: rewardBy('ssim'),
    ssim_for_bytes_db: (mean_ssim_db ?? NaN) - interpolated(curve, fetched_mbps),
    ssim_db: mean_ssim_db ?? NaN,
    fetched_mbps,
    stalled_pct: 100 * rebuffer_ratio,
    stay_pct: 100 / (1 + (lost_per_stalled_s - 1) * rebuffer_ratio),
    chunk_throughput_mbps: (chunk_throughput_kbps ?? NaN) / 1000,
  };
}

const partialSum = (values: readonly number[], count: number): number =>
  values.slice(0, count).reduce((sum, value) => sum + value, 0);

/**
 * Returns the SSIM at a rate, interpolated linearly over the logarithm of the rate. Outside the ladder, returns the
 * SSIM of its nearest end.
 */
export function interpolated(
  curve: readonly { readonly mbps: number; readonly ssim_db: number }[],
  mbps: number,
): number {
  const above = curve.findIndex((point) => point.mbps >= mbps);
  const [low, high] = [curve[above - 1], curve[above]];
  if (!high) return curve.at(-1)?.ssim_db ?? NaN;
  if (!low) return high.ssim_db;
  const share = Math.log(mbps / low.mbps) / Math.log(high.mbps / low.mbps);
  return low.ssim_db + share * (high.ssim_db - low.ssim_db);
}

interface Known {
  readonly durations_s: readonly number[];
  /** Indexed by rung, then by segment. */
  readonly bytes: readonly (readonly number[])[];
  readonly ssim_db: readonly (readonly number[])[];
}

/** Reads the sizes and qualities of segments from a video's sidecar. Throws an Error if an SSIM is missing. */
function readSidecar(film: Film): Known {
  const timeline = new Timeline(film);
  const { representations } = film.sidecar;
  const versions = film.ladders.video.map(({ id }) => representations[id]);
  return {
    durations_s: Array.from({ length: timeline.count }, (_, segment) => timeline.getDuration_s(segment)),
    bytes: versions.map((version) => version?.segment_bytes ?? []),
    ssim_db: versions.map((version) => version?.segment_ssim_db ?? []),
  };
}

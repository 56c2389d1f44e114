/** λ of Puffer's thesis (§2.3.5): the cost in dB of a quality change of 1 dB between segments. */
export const LAMBDA = 1;
/** μ of Puffer's thesis: the cost in dB of one second of stalling. */
export const MU_PER_S = 100;

/** The part of a session that a viewer has seen. */
export interface Watched {
  /** Indices of the rungs of the segments that began to play, in order. */
  readonly rungs: readonly number[];
  /** Time stalled in seconds, without the wait for the first segment. */
  readonly stalled_s: number;
}

/**
 * Returns the gain Q - λ |Q - Q_before| of a segment in dB. As in our algorithms, Q_before is the quality of the same
 * segment at the previous rung. `quality_db` is by rung.
 */
export function segmentGain(quality_db: readonly number[], rung: number, before: number | undefined): number {
  const here = quality_db[rung] ?? NaN;
  return here - (before === undefined ? 0 : LAMBDA * Math.abs(here - (quality_db[before] ?? NaN)));
}

/**
 * Returns the mean of Q - λ |Q - Q_before| - μ T over the watched segments, in dB. T is the time for which a segment
 * stalled playback.
 */
export function computeExperience(
  { rungs, stalled_s }: Watched,
  quality_db: readonly (readonly number[])[],
  mu_per_s = MU_PER_S,
): number {
  const gains = rungs.map((rung, segment) =>
    segmentGain(quality_db[segment] ?? [], rung, rungs[segment - 1]),
  );
  return (gains.reduce((sum, gain) => sum + gain, 0) - mu_per_s * stalled_s) / rungs.length;
}

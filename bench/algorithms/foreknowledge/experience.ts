/**
 * λ and μ of Puffer's thesis (§2.3.5): the cost of a quality change of 1 dB between segments, and of a second of stalling,
 * dB.
 */
export const LAMBDA = 1;
export const MU_PER_S = 100;

/** The part of a session that a viewer has seen. */
export interface Watched {
  /** Indices of the rungs of the segments that began to play, in order. */
  readonly rungs: readonly number[];
  /** Stalls, without the wait for the first segment. */
  readonly stalled_s: number;
}

/** Q - λ |Q - Q_before| of a segment, dB, both of the same segment, as for our algorithms: `quality_db` is by rung. */
export function segmentGain(quality_db: readonly number[], rung: number, before: number | undefined): number {
  const here = quality_db[rung] ?? NaN;
  return here - (before === undefined ? 0 : LAMBDA * Math.abs(here - (quality_db[before] ?? NaN)));
}

/** The mean over the watched segments of Q - λ |Q - Q_before| - μ T, dB, where T is how long the segment stalled playback. */
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

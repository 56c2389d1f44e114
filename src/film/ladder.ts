import { bitsPerSecondToKbps, type Kbps } from '../units.ts';

/** A representation that can be chosen. */
export interface Rung {
  readonly id: string;
  /** Nominal bitrate: the manifest's @bandwidth. */
  readonly bitrate_kbps: Kbps;
}

/** Rungs in order of rising bitrate; never empty. */
export type Ladder = readonly [Rung, ...Rung[]];

/**
 * Makes a ladder from the representations of a manifest (`bandwidth` in bit/s). Those without a positive finite
 * bandwidth are left out, because they cannot be compared or paced. Returns undefined when none is left.
 */
export function makeLadder(
  representations: readonly { readonly id: string; readonly bandwidth: number }[],
): Ladder | undefined {
  const rungs = representations
    .filter(({ bandwidth }) => Number.isFinite(bandwidth) && bandwidth > 0)
    .map(({ id, bandwidth }): Rung => ({ id, bitrate_kbps: bitsPerSecondToKbps(bandwidth) }))
    .sort((a, b) => a.bitrate_kbps - b.bitrate_kbps);
  const [lowest, ...rest] = rungs;
  return lowest && [lowest, ...rest];
}

/** The rungs up to `ceiling`, and always the lowest. */
export const upTo = ([lowest, ...others]: Ladder, ceiling: Kbps): Ladder => [
  lowest,
  ...others.filter(({ bitrate_kbps }) => bitrate_kbps <= ceiling),
];

export const topOf = (ladder: Ladder): Rung => ladder.at(-1) ?? ladder[0];

import { bitsPerSecondToKbps, type Kbps } from '../units.ts';

/** One representation a viewer can get. */
export interface Rung {
  readonly id: string;
  /** Nominal bitrate: the manifest's @bandwidth. */
  readonly bitrate_kbps: Kbps;
}

/** Rungs by rising bitrate, never empty. */
export type Ladder = readonly [Rung, ...Rung[]];

/**
 * The ladder of a media type from what a manifest says. Representations without a positive finite
 * bandwidth cannot be paced or compared and are left out; undefined when none is left.
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

export const topOf = (ladder: Ladder): Rung => ladder.at(-1) ?? ladder[0];

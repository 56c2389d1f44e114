import { bitsPerSecondToKbps, type Kbps } from '../units.ts';

/** A representation that can be chosen. */
export interface Rung {
  readonly id: string;
  /** Nominal bitrate: the manifest's @bandwidth. */
  readonly bitrate_kbps: Kbps;
}

/** Rungs in order of rising quality and bitrate; never empty. */
export type Ladder = readonly [Rung, ...Rung[]];

/**
 * Creates a ladder from the representations of a manifest (`bandwidth` in bit/s) in the player's order, from the lowest
 * quality to the highest. Representations without a positive finite bandwidth are excluded, because they cannot be
 * compared or paced. Returns undefined if none remains.
 */
export const makeLadder = (
  representations: readonly { readonly id: string; readonly bandwidth: number }[],
): Ladder | undefined =>
  withoutWastefulRungs(
    representations
      .filter(({ bandwidth }) => Number.isFinite(bandwidth) && bandwidth > 0)
      .map(({ id, bandwidth }): Rung => ({ id, bitrate_kbps: bitsPerSecondToKbps(bandwidth) })),
  );

const isLadder = (rungs: readonly Rung[]): rungs is Ladder => rungs.length > 0;

/** Returns the rungs, in order of rising quality, without any whose bitrate exceeds the bitrate of a better rung. */
export function withoutWastefulRungs(rungs: readonly Rung[]): Ladder | undefined {
  const worthy = rungs.reduceRight<readonly Rung[]>(
    (better, rung) => (rung.bitrate_kbps > (better[0] ?? rung).bitrate_kbps ? better : [rung, ...better]),
    [],
  );
  return isLadder(worthy) ? worthy : undefined;
}

/** The rungs with a bitrate of at most `ceiling`. Always includes the lowest rung. */
export function rungsUpTo(ladder: Ladder, ceiling: Kbps): Ladder {
  const [lowest, ...higher] = ladder;
  return [lowest, ...higher.filter(({ bitrate_kbps }) => bitrate_kbps <= ceiling)];
}

export const topRung = (ladder: Ladder): Rung => ladder.at(-1) ?? ladder[0];

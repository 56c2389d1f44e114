import type { Ladder } from '../../../../src/film/ladder.ts';
import type { MediaType } from '../../../../src/film/media-type.ts';
import type { SegmentSizes } from '../../../../src/film/segments.ts';
import { sizesFromSidecar, type Sidecar } from '../../../../src/film/sidecar.ts';

/** A video for the simulated player: its bitrate ladders, and the sizes of the segments. */
export interface Film {
  /** Times, sizes and SSIM of the segments of all representations. */
  readonly sidecar: Sidecar;
  readonly ladders: Readonly<{ video: Ladder } & Partial<Record<MediaType, Ladder>>>;
}

/** The parsed sizes of each sidecar, shared by all sessions of a video. */
const known = new WeakMap<Sidecar, SegmentSizes>();

export function getSizes({ sidecar }: Film): SegmentSizes {
  const sizes = known.get(sidecar) ?? sizesFromSidecar(sidecar);
  known.set(sidecar, sizes);
  return sizes;
}

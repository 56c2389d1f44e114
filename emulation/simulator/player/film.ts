import type { Ladder } from '../../../src/film/ladder.ts';
import type { MediaType } from '../../../src/film/media-type.ts';
import type { Sidecar } from '../../../src/film/sidecar.ts';

/** A film as the simulated player needs it: its ladders, and the sizes of the segments. */
export interface Film {
  /** Times, sizes and SSIM of the segments of all representations. */
  readonly sidecar: Sidecar;
  readonly ladders: Readonly<{ video: Ladder } & Partial<Record<MediaType, Ladder>>>;
}

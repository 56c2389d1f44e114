import type { Size } from '../ladder.ts';

/** A video source for ffmpeg: inputs, and filters that convert them to one constant-rate video and one audio stream. */
export interface Source extends Size {
  readonly title: string;
  readonly credit?: string;
  readonly license?: string;
  /** ffmpeg's input options and `-i`s. */
  readonly inputs: readonly string[];
  /** The number of `inputs`. Additional inputs are numbered from here. */
  readonly inputCount: number;
  /** Filters from the inputs to `[picture]`: upright, constant rate, exactly `frames` frames. */
  readonly picture: string;
  /** Filters from the inputs to `[sound]`: 48 kHz stereo, as long as the video; absent for silent content. */
  readonly sound?: string;
  readonly frameRate: number;
  readonly frames: number;
  /** A value that changes with the source. It is part of a cached ladder's name. */
  readonly fingerprint: string;
}

/**
 * Returns the end of a video filter graph: constant rate, square pixels, and exactly this many frames. The last frame
 * is repeated if there are too few.
 */
export const steadyPicture = (frameRate: number, frames: number): string =>
  `fps=${frameRate},tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames},setpts=N/(${frameRate}*TB),setsar=1,format=yuv420p`;

/** Returns the end of an audio filter graph: 48 kHz stereo from time 0, padded with silence or cut to `duration_s`. */
export const steadySound = (duration_s: number): string =>
  `aresample=48000:async=1:first_pts=0,aformat=sample_fmts=flt:channel_layouts=stereo,apad,atrim=duration=${duration_s}`;

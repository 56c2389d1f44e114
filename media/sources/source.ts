import type { Size } from '../ladder.ts';

/** A film as ffmpeg sees it: inputs, and filters that turn them into one steady picture and one sound. */
export interface Source extends Size {
  readonly title: string;
  readonly credit?: string;
  readonly license?: string;
  /** ffmpeg's input options and `-i`s. */
  readonly inputs: readonly string[];
  /** How many inputs those are: what comes after them is numbered from here. */
  readonly inputCount: number;
  /** Filters from the inputs to `[picture]`: upright, constant rate, exactly `frames` frames. */
  readonly picture: string;
  /** Filters from the inputs to `[sound]`: 48 kHz stereo, as long as the picture; absent from a silent film. */
  readonly sound?: string;
  readonly frameRate: number;
  readonly frames: number;
  /** Changes whenever the film does: part of a cached ladder's name. */
  readonly fingerprint: string;
}

/** Ends a picture graph: constant rate, square pixels, and exactly so many frames (the last one is held). */
export const steadyPicture = (frameRate: number, frames: number): string =>
  `fps=${frameRate},tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames},setpts=N/(${frameRate}*TB),setsar=1,format=yuv420p`;

/** Ends a sound graph: 48 kHz stereo from time 0, padded with silence or cut to `duration_s`. */
export const steadySound = (duration_s: number): string =>
  `aresample=48000:async=1:first_pts=0,aformat=sample_fmts=flt:channel_layouts=stereo,apad,atrim=duration=${duration_s}`;

export interface VideoTiming {
  /** From the start of the session's playback to the first start of the neighbor. */
  readonly firstAfter_s: number;
  /** From one start to the next. */
  readonly every_s: number;
  /** How long each plays. */
  readonly played_s: number;
}

/** "After a few seconds" (Sammy §6). The paper has one start in each of four trials. */
export const VIDEO_TIMING: VideoTiming = { firstAfter_s: 5, every_s: 10, played_s: 4 };

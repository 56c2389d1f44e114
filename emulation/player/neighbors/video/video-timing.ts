export interface VideoTiming {
  /** The time from the start of the session's playback to the neighbor's first start. */
  readonly firstAfter_s: number;
  /** The average interval between two starts. */
  readonly every_s: number;
  /** The largest delay of a start after its scheduled time. */
  readonly spread_s: number;
  /** The playing time after each start. */
  readonly played_s: number;
}

/**
 * The neighbor starts "after a few seconds" in the paper (Sammy §6), once in each of four trials. Here it starts
 * repeatedly. A player with a full buffer downloads once per segment, so starts at a fixed interval would always meet
 * the same moments of that cycle. The spread is a multiple of the usual segment durations: 1, 2 and 4 s.
 */
export const VIDEO_TIMING: VideoTiming = { firstAfter_s: 5, every_s: 10, spread_s: 4, played_s: 4 };

const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/**
 * Seconds from the start of playback to start `index` of the neighbor, from 0. The delays are multiples of the golden
 * ratio, mod 1. They cover the spread evenly for any number of starts, and are the same in each session.
 */
export const startAfter_s = ({ firstAfter_s, every_s, spread_s }: VideoTiming, index: number): number =>
  firstAfter_s + every_s * index + spread_s * ((index * GOLDEN_RATIO) % 1);

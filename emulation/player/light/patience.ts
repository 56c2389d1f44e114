/** How viewers respond to start-up delay and stalls. */
export interface Patience {
  /** The start-up delay up to which nobody leaves, s. */
  readonly start_s: number;
  /** The share of all viewers that leaves in each further second of start-up delay. */
  readonly leaving_per_s: number;
  /** The playing time that a viewer gives up for each second of stalling, including that second, s. */
  readonly lost_per_stalled_s: number;
}

export const PATIENCES = {
  /** Viewers never leave early. */
  endless: undefined,
  /**
   * "Video Stream Quality Impacts Viewer Behavior" (IMC 2012), from 23 million views: viewers begin to leave after 2 s
   * of start-up delay, and each further second loses 5.8% of all viewers; viewers whose stalls last 1% of the video's
   * length play 5% less of it. Here, a video's length is the time that the viewer intended to watch.
   */
  'krishnan-sitaraman': { start_s: 2, leaving_per_s: 0.058, lost_per_stalled_s: 5 },
} as const satisfies Record<string, Patience | undefined>;
export type PatienceName = keyof typeof PATIENCES;

/** The intended watch time and the patience of a viewer. */
export interface ViewerPlan {
  /** The time that the viewer watches if nothing disturbs playback, s. */
  readonly watch_s: number;
  /** The viewer's response to waiting; viewers never leave early by default. */
  readonly patience?: Patience | undefined;
  /** The share of all viewers who accept less start-up delay than this one, 0 to 1. */
  readonly rank: number;
}

/** A viewer's experience so far, s since the viewer arrived. */
export interface ViewerExperience {
  readonly started: boolean;
  /** The total duration of all finished stalls. */
  readonly stalled_s: number;
  /**
   * When the present stall began or, during playback, when the buffer runs empty if nothing more arrives; Infinity if
   * there is no stall and none is expected.
   */
  readonly dry_s: number;
}

/**
 * When the viewer leaves if nothing more arrives, s since the viewer arrived. After playback has begun, arriving data
 * can only delay that time.
 */
export function leavingTime_s(
  { watch_s, patience, rank }: ViewerPlan,
  { started, stalled_s, dry_s }: ViewerExperience,
): number {
  if (!patience) return watch_s;
  if (!started) return Math.min(watch_s, patience.start_s + rank / patience.leaving_per_s);
  // The stall itself takes one of the `lost_per_stalled_s` seconds. Only the other seconds bring the viewer's end
  // closer.
  const others = patience.lost_per_stalled_s - 1;
  const undisturbed_s = watch_s - others * stalled_s;
  return undisturbed_s <= dry_s ? undisturbed_s : (undisturbed_s + others * dry_s) / (1 + others);
}

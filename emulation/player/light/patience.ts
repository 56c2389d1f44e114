/** How viewers put up with waiting. */
export interface Patience {
  /** With less start-up delay nobody leaves, s. */
  readonly start_s: number;
  /** Of all who come, the share that leaves in each further second of it. */
  readonly leaving_per_s: number;
  /** What a second of stalling takes off the time that a viewer would have played, itself included, s. */
  readonly lost_per_stalled_s: number;
}

export const PATIENCES = {
  /** Viewers stay as long as they meant to, whatever they wait for. */
  endless: undefined,
  /**
   * "Video Stream Quality Impacts Viewer Behavior" (IMC 2012), by 23 million views: viewers begin to leave after 2 s of
   * start-up delay, 5.8% more of them with each second, and those who wait for 1% of a video's length in stalls play 5%
   * less of it. A video's length is here what the viewer would have watched.
   */
  'krishnan-sitaraman': { start_s: 2, leaving_per_s: 0.058, lost_per_stalled_s: 5 },
} as const satisfies Record<string, Patience | undefined>;
export type PatienceName = keyof typeof PATIENCES;

/** What a viewer means to do. */
export interface Intent {
  /** How long it stays when nothing goes wrong, s. */
  readonly watch_s: number;
  /** Endless when not given. */
  readonly patience?: Patience | undefined;
  /** How many of all viewers are less patient at the start: the share, 0 to 1. */
  readonly rank: number;
}

/** What a viewer has seen, s since it came. */
export interface Seen {
  readonly started: boolean;
  /** Of all stalls that are over. */
  readonly stalled_s: number;
  /** When the present stall began, or the next one does where nothing arrives; infinite where none is in sight. */
  readonly dry_s: number;
}

/**
 * When the viewer leaves if nothing more arrives, s since it came. What arrives after playback has begun makes that later
 * or leaves it as it is.
 */
export function leavesAfter_s(
  { watch_s, patience, rank }: Intent,
  { started, stalled_s, dry_s }: Seen,
): number {
  if (!patience) return watch_s;
  if (!started) return Math.min(watch_s, patience.start_s + rank / patience.leaving_per_s);
  // A stalled second passes anyway; the others that it costs bring the end nearer, also while it lasts.
  const others = patience.lost_per_stalled_s - 1;
  const undisturbed_s = watch_s - others * stalled_s;
  return undisturbed_s <= dry_s ? undisturbed_s : (undisturbed_s + others * dry_s) / (1 + others);
}

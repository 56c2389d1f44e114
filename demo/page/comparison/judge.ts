/** The rules for judging the difference between two figures. */
export interface Judged {
  /**
   * The direction that is better for the viewer or for others on the network; null if neither direction is better.
   */
  readonly better: 'less' | 'more' | null;
  /** The smallest difference that a viewer or a neighbor could notice, in the figure's own unit. */
  readonly noticeable: number;
  /**
   * Whether the network determines the figure. On loopback, without a bottleneck, such a figure does not show a
   * difference between the players.
   */
  readonly isOfLink?: true;
}

/** Changes of less than this share count as noise. */
const NOTABLE_SHARE = 0.03;

/** Whether `to` is better or worse than `from`; null if the difference is negligible or cannot be judged. */
export function judge(
  { better, noticeable, isOfLink }: Judged,
  [from, to]: readonly [number | null, number | null],
  hasBottleneck: boolean,
): 'better' | 'worse' | null {
  if (better === null || from === null || to === null) return null;
  if (isOfLink && !hasBottleneck) return null;
  const difference = to - from;
  if (Math.abs(difference) < Math.max(noticeable, NOTABLE_SHARE * Math.abs(from))) return null;
  return difference < 0 === (better === 'less') ? 'better' : 'worse';
}

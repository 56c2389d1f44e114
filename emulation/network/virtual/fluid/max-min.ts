/** A user of a shared link: the highest rate that it can use, and the rate that it gets. */
export interface Sharer {
  readonly cap_kbps: number;
  rate_kbps: number;
}

/**
 * Sets the max-min fair rates of sharers in order of rising caps: no sharer's rate can grow without reducing a rate
 * that is no higher. All sharers below their caps get the same rate.
 */
export function shareMaxMin(rising: readonly Sharer[], capacity_kbps: number): void {
  let left_kbps = capacity_kbps;
  let waiting = rising.length;
  for (const sharer of rising) {
    sharer.rate_kbps = Math.min(sharer.cap_kbps, left_kbps / waiting);
    left_kbps -= sharer.rate_kbps;
    waiting -= 1;
  }
}

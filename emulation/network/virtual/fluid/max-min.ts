/** Who shares a link: what they want at most, and what they get. */
export interface Sharer {
  readonly cap_kbps: number;
  rate_kbps: number;
}

/**
 * Sets the max-min fair rates of sharers who are in order of rising caps: nobody can get more without taking from one who
 * has no more. What everybody below the own cap gets is the same.
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

/** The least depth that at least `fraction` of the packets did not exceed, of their counts by depth; null of no packets. */
export function depthQuantile(depths: readonly number[], fraction: number): number | null {
  const all = depths.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const at = depths.findIndex((count) => (sum += count) >= fraction * all && sum > 0);
  return at < 0 ? null : at;
}

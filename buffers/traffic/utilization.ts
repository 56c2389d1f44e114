/** A packet that left the queue at `t_s`. The link is then busy for the packet's transmission time. */
export interface TimedBytes {
  readonly t_s: number;
  readonly bytes: number;
}

export interface Windows {
  readonly from_s: number;
  readonly to_s: number;
  readonly window_s: number;
}

/**
 * Returns the link utilization in each complete window of time: the departure rate over the capacity. A packet that
 * spans two windows is split between them, so that an always-busy link has exactly 1 in every window.
 */
export function windowUtilization(
  departures: Iterable<TimedBytes>,
  rate_bit_s: number,
  { from_s, to_s, window_s }: Windows,
): number[] {
  // The small addition keeps a rounding error from dropping the last window.
  const count = Math.floor((to_s - from_s) / window_s + 1e-6);
  const busy_s = Array.from({ length: Math.max(0, count) }, () => 0);
  for (const { t_s, bytes } of departures) {
    const start = t_s - from_s;
    const end = start + (bytes * 8) / rate_bit_s;
    const last = Math.min(count - 1, Math.floor(end / window_s));
    for (let index = Math.max(0, Math.floor(start / window_s)); index <= last; index++) {
      const part = Math.min(end, (index + 1) * window_s) - Math.max(start, index * window_s);
      busy_s[index] = (busy_s[index] ?? 0) + Math.max(0, part);
    }
  }
  return busy_s.map((busy) => busy / window_s);
}

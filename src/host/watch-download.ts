/** Interval of the checks, ms. */
const CHECK_MS = 250;
/**
 * If more time than this, ms, has passed since the last check, the device slept, a debugger paused the page, or the tab
 * was in the background. The response may have been delayed too, so no more than this counts as silence.
 */
const LATE_MS = 2 * CHECK_MS;

/**
 * Checks a download until the returned function is called. `receivedBytes` returns the number of bytes that have
 * arrived; NaN if bytes have arrived but the player does not know how many. `check` is called with the time since the
 * last bytes arrived, and whether any have arrived.
 */
export function watchDownload(
  receivedBytes: () => number,
  check: (silent_ms: number, hasBegun: boolean) => void,
): () => void {
  let seen_bytes = 0;
  let since = performance.now();
  let checked = since;
  const timer = setInterval(() => {
    const now = performance.now();
    const received_bytes = receivedBytes();
    // NaN differs from every number, so an unknown number of bytes counts as progress.
    if (received_bytes !== seen_bytes) [seen_bytes, since] = [received_bytes, now];
    else since += Math.max(0, now - checked - LATE_MS);
    checked = now;
    check(now - since, received_bytes > 0);
  }, CHECK_MS);
  return () => {
    clearInterval(timer);
  };
}

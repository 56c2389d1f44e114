/**
 * A download is judged from this time on, s; before, its first bytes say too little. dash.js waits as long
 * (`minSegmentDownloadTimeThresholdInMs`).
 */
export const GRACE_S = 0.5;

/**
 * The share of the measured throughput that a download instead of it is expected to have. It begins with a round trip, and
 * what came at once with the first byte makes half a second look faster than it was.
 */
export const EXPECTED_SHARE = 0.8;

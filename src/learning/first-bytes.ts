/**
 * Downloads are judged only after this time, s, because their first bytes say too little. dash.js's value
 * (`minSegmentDownloadTimeThresholdInMs`).
 */
export const GRACE_S = 0.5;

/**
 * The expected share of the measured throughput for a replacement download. It begins with a round trip, and the data that
 * arrives together with the first byte makes the first half second look faster than the network.
 */
export const EXPECTED_SHARE = 0.8;

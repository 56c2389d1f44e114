/**
 * Downloads may be abandoned only after this time, s, because the first bytes are a poor measure of the throughput.
 * dash.js's value (`minSegmentDownloadTimeThresholdInMs`).
 */
export const GRACE_S = 0.5;

/**
 * The expected throughput of a replacement download, as a share of the throughput measured so far. It is below 1
 * because the new download begins with a round trip, and because the data that arrives together with the first byte
 * makes the first half second look faster than the network.
 */
export const EXPECTED_SHARE = 0.8;

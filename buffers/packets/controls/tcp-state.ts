/** The state that a connection's sender and its congestion control share. Times are in ms, data in packets. */
export interface TcpState {
  readonly now_ms: () => number;
  /** The maximum number of packets in flight (`snd_cwnd`). */
  window: number;
  /** The slow-start threshold: a window below it doubles in each round trip (`snd_ssthresh`). */
  threshold: number;
  /** The pacing rate in packets per ms. A sender without pacing also uses it, for the length of its bursts. */
  pacingRate: number;
  inFlight: number;
  /** The total number of packets that were considered lost. */
  lost: number;
  /** The smoothed round trip; 0 before the first measurement. */
  srtt_ms: number;
  leastRtt_ms: number;
  phase: 'open' | 'recovery' | 'timeout';
  /** The time at which a pacing sender may send its next burst (`tcp_wstamp_ns`). */
  nextBurst_ms: number;
}

export const INITIAL_WINDOW = 10;

export const newTcpState = (now_ms: () => number): TcpState => ({
  now_ms,
  window: INITIAL_WINDOW,
  threshold: Infinity,
  pacingRate: Infinity,
  inFlight: 0,
  lost: 0,
  srtt_ms: 0,
  leastRtt_ms: Infinity,
  phase: 'open',
  nextBurst_ms: -Infinity,
});

/** The state that a connection's sender and its congestion control share. Times are in ms, data in packets. */
export interface TcpState {
  readonly now_ms: () => number;
  /** The limit of packets in flight (`snd_cwnd`). */
  window: number;
  /** Below it a window doubles in a round trip (`snd_ssthresh`). */
  threshold: number;
  /** Packets per ms. A sender without pacing also uses this value, for the length of its bursts. */
  pacingRate: number;
  inFlight: number;
  /** All that were ever taken for lost. */
  lost: number;
  /** Smoothed; 0 before the first. */
  srtt_ms: number;
  leastRtt_ms: number;
  phase: 'open' | 'recovery' | 'timeout';
  /** When the next burst may leave, of a sender that paces (`tcp_wstamp_ns`). */
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

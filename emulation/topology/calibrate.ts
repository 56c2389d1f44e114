/** What an emulated link was measured to do before a run, next to what it was asked for. */
export interface Calibration {
  readonly valid: boolean;
  /** Why not. */
  readonly reason?: string;
  readonly rtt_ms: number;
  readonly expected_rtt_ms: number;
  /** Null for a trace, whose rate varies. */
  readonly rate_mbps: number | null;
  readonly expected_rate_mbps: number | null;
}

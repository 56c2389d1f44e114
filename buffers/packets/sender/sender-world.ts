/** A sender's interface to its environment. Times are in ms, data in segments of one packet each. */
export interface SenderWorld {
  readonly now_ms: () => number;
  /** Calls `act` at `time_ms`, after the events already scheduled for the same time. */
  readonly at: (time_ms: number, act: () => void) => void;
  /** Passes segments to the network interface, back to back. */
  readonly transmit: (numbers: readonly number[]) => void;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
}

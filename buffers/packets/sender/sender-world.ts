/** A sender's interface to its environment. Times are in ms, data in segments of one packet each. */
export interface SenderWorld {
  readonly now_ms: () => number;
  /** Calls `act` then, after what is already due at that time. */
  readonly at: (time_ms: number, act: () => void) => void;
  /** Gives segments to the interface, one behind the other. */
  readonly transmit: (numbers: readonly number[]) => void;
  /** From 0 to below 1. */
  readonly random: () => number;
}

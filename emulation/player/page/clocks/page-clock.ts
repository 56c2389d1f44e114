/** A page's time. The page's driver decides how it passes. */
export interface PageClock {
  /** Milliseconds since the page was opened. */
  readonly now_ms: number;
  /**
   * Calls `action` once, not before that time; actions of equal times run in the order of their requests. Returns a function
   * that cancels the call.
   */
  at(time_ms: number, action: () => void): () => void;
}

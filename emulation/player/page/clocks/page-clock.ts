/** The time of a page. The page's owner controls how it passes. */
export interface PageClock {
  /** Milliseconds since the page was opened. */
  readonly now_ms: number;
  /**
   * Calls `action` once, not before that time. Actions of equal times run in the order in which they were scheduled.
   * Returns a function that cancels the call.
   */
  at(time_ms: number, action: () => void): () => void;
}

/** A page's time. Whoever drives the page decides how it passes. */
export interface PageClock {
  /** Since the page was opened. */
  readonly now_ms: number;
  /** Calls `action` once, not before that time; of two at one time, what was asked for first. Returns what takes it back. */
  at(time_ms: number, action: () => void): () => void;
}

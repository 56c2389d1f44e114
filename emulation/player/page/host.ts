import type { PageClock } from './clocks/page-clock.ts';
import type { Own } from './realm.ts';

/** What everything on a page needs of it. */
export interface Host {
  /** What it calls back, it calls as events of the page. */
  readonly clock: PageClock;
  readonly own: Own;
  /** Takes what a listener has thrown. */
  readonly report: (error: unknown) => void;
  /** The address of the page. */
  readonly url: string;
  /** 1970 to the opening of the page, ms. */
  readonly opened_ms: number;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Does something soon, as an event of its own. */
export const soon = ({ clock }: Host, action: () => void, after_ms = 0): (() => void) =>
  clock.at(clock.now_ms + after_ms, action);

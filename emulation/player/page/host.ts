import type { PageClock } from './clocks/page-clock.ts';
import type { Builtins } from './realm.ts';

/** The environment that all objects of a page share. */
export interface Host {
  /** The page's clock. Its callbacks run as events of the page. */
  readonly clock: PageClock;
  readonly builtins: Builtins;
  /** Receives errors that listeners throw. */
  readonly report: (error: unknown) => void;
  readonly url: string;
  /** The time at which the page was opened, ms since 1970. */
  readonly opened_ms: number;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
}

/** Schedules an action as a separate event. */
export const soon = ({ clock }: Host, action: () => void, after_ms = 0): (() => void) =>
  clock.at(clock.now_ms + after_ms, action);

import type { MachineRecord, WatchedLoad } from './machine-watch.ts';

/**
 * The rule by which a run is no result because the machine was busy. It was written before the runs that it judges, and
 * nobody decides by hand.
 *
 * An exclusion must not choose by the outcome. An arm that downloads faster makes the machine busier, so that a limit on
 * the whole load, or on how long the run's own threads waited, would keep that arm's runs of quiet hours only, and
 * flatter or harm it. Each measure here is therefore of others, whatever the arm does:
 * - the load of programs that the lab has not started, which stays the same as long as the machine is not full, and at
 *   this limit it is not;
 * - steal as a share of the time for which this machine wanted a processor, since steal alone grows with the own load;
 * - the waits of a thread with the link's priority before the session, when no browser runs yet and all arms are alike.
 * What the run's own threads waited is recorded and shown for each arm, and excludes nothing.
 */

/**
 * Strangers' share of all processors' time. On two processors of which each is taken for a share u, a thread that
 * wakes up finds both taken with a chance of about u²: 2% at 15%, and then waits for a scheduler tick of 1 to 4 ms,
 * which the link's queue of 20 ms hides. A second session beside the first, about 20%, cost the unpaced control 2%
 * of its throughput (33.1 instead of 33.7 Mbit/s, docs/lab/validity.md); strangers of 75 to 85% cost it up to half (17 to 33).
 */
export const OTHERS_LIMIT_PCT = 15;

/** What the link may offer less than its rate during a session (run-session.ts): a stolen processor stops the link too. */
export const STEAL_LIMIT_PCT = 2;

/**
 * Share of the canary's wake-ups that came later than a slot of mm-link, 1 ms. Below one in twenty, the median of an
 * RTT, a queueing delay or a response time is that of the link. While strangers took 71 to 89% of the machine it was 2 to 43%.
 */
export const LATE_LIMIT_PCT = 5;

/** So often a run is made that the rule excludes; the last one is kept, and marked in its record and in the report. */
export const BUSY_ATTEMPTS = 3;

/** Why a run is excluded; undefined when it is not. What the kernel does not count excludes nothing. */
export function tooBusy({ before, session }: Pick<MachineRecord, 'before' | 'session'>): string | undefined {
  const over = (value: number | null | undefined, limit: number, what: (value: string) => string) =>
    value != null && value > limit ? `${what(value.toFixed(1))}, more than ${limit}%` : undefined;
  return (
    over(session.others_pct, OTHERS_LIMIT_PCT, (pct) => `other programs took ${pct}% of the machine`) ??
    over(session.steal_of_demand_pct, STEAL_LIMIT_PCT, (pct) => `${pct}% of the processor time was stolen`) ??
    over(lateBefore(before), LATE_LIMIT_PCT, (pct) => `${pct}% of wake-ups before the session were late`)
  );
}

const lateBefore = ({ canary }: WatchedLoad): number | undefined => canary?.late_pct;

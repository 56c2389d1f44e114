import type { MachineRecord, WatchedLoad } from './machine-watch.ts';

/**
 * The rule that excludes a run because the machine was busy. It was fixed before the runs were made, and applies
 * without manual decisions.
 *
 * An exclusion must not depend on the outcome. An arm that downloads faster makes the machine busier, so a limit on the
 * total load, or on the waits of the run's own threads, would keep that arm's runs only in quiet hours, and bias its
 * results. Each measure here is therefore independent of the arm:
 * - the load of programs that the lab has not started, which stays the same as long as the machine is not full, which
 *   it is not at this limit;
 * - steal as a share of the time for which this machine wanted a processor, because steal alone grows with the
 *   machine's own load;
 * - the waits of a thread with the link's priority before the session, when no browser runs yet and all arms are
 *   identical.
 *
 * The waits of the run's own threads are recorded and shown for each arm, and exclude nothing.
 */

/**
 * The limit for other programs' share of all processors' time. On two processors with utilization u each, a thread that
 * wakes up finds both processors busy with a probability of about u²: 2% at 15%. It then waits for a scheduler tick of
 * 1 to 4 ms, which the link's queue of 20 ms hides. A second session in parallel, with a load of about 20%, cost the
 * unpaced control 2% of its throughput (33.1 instead of 33.7 Mbit/s, docs/lab/validity.md). Other programs with a load
 * of 75 to 85% cost up to half (17 to 33 Mbit/s).
 */
export const OTHERS_LIMIT_PCT = 15;

/**
 * The limit for stolen processor time, because the link also stops while the hypervisor takes the processor. It equals
 * the accepted deficit of the link's rate during a session (run-session.ts).
 */
export const STEAL_LIMIT_PCT = 2;

/**
 * The limit for the share of the canary's wake-ups that came later than a slot of mm-link, 1 ms. Below one in twenty,
 * such delays hardly change the median of an RTT, a queueing delay or a response time. While other programs used 71 to
 * 89% of the machine, the share was 2 to 43%.
 */
export const LATE_LIMIT_PCT = 5;

/**
 * The number of attempts at a run that the rule excludes. If the rule excludes all, the last attempt is kept, and
 * marked in its record and in the report.
 */
export const BUSY_ATTEMPTS = 3;

/**
 * The reason why a run is excluded; undefined if the run is kept. Figures that the kernel does not provide exclude
 * nothing.
 */
export function findBusyReason({
  before,
  session,
}: Pick<MachineRecord, 'before' | 'session'>): string | undefined {
  const over = (value: number | null | undefined, limit: number, what: (value: string) => string) =>
    value != null && value > limit ? `${what(value.toFixed(1))}, more than ${limit}%` : undefined;
  return (
    over(session.others_pct, OTHERS_LIMIT_PCT, (pct) => `other programs took ${pct}% of the machine`) ??
    over(session.steal_of_demand_pct, STEAL_LIMIT_PCT, (pct) => `${pct}% of the processor time was stolen`) ??
    over(lateBefore(before), LATE_LIMIT_PCT, (pct) => `${pct}% of wake-ups before the session were late`)
  );
}

const lateBefore = ({ canary }: WatchedLoad): number | undefined => canary?.late_pct;

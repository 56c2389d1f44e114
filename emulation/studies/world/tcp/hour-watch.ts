import { findLateReason } from '../../../network/measure/machine/late-rule.ts';
import type { CpuTicks } from '../../../network/measure/machine/proc-files.ts';

/** An hour of a link, with the load of the machine. */
export interface WatchedHour {
  /** The number of the hour since midnight of the first day. */
  readonly hour: number;
  readonly counts: boolean;
  readonly busy_pct: number;
  readonly switch_lateness_p99_ms: number;
  /** The reason why the hour's sessions are excluded; absent for a valid hour. */
  readonly invalid?: string;
}

/**
 * The highest processor load of a valid hour. Above it, the machine, and not the emulated link, may limit the
 * throughput.
 */
const BUSIEST_PCT = 85;

/** The busy share of the processors' time, not counting the time that the hypervisor took, %. */
export function busyBetween(before: CpuTicks, after: CpuTicks): number {
  const busy = after.busy - before.busy;
  const all = busy + after.idle - before.idle + (after.stolen ?? 0) - (before.stolen ?? 0);
  return all > 0 ? (100 * busy) / all : 0;
}

/** Why an hour is invalid; undefined if it is valid. */
export function invalidHour(busy_pct: number, lateness_p99_ms: number): string | undefined {
  if (busy_pct > BUSIEST_PCT)
    return `the machine was ${busy_pct.toFixed(0)}% busy, more than ${BUSIEST_PCT}%`;
  return findLateReason(lateness_p99_ms);
}

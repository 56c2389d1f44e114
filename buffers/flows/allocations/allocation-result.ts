import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOutcome } from '../../../emulation/harness/runs/study.ts';
import type { Evaluated, TrafficResult } from '../../traffic/traffic-result.ts';
import type { Traffic } from '../../traffic/traffic.ts';
import { depthQuantile } from '../figures/statistics.ts';
import type { Allocation } from './allocation-spec.ts';
import type { ArmName } from './cell.ts';
import { unitResult, type UnitResult } from './unit-result.ts';

/** The content of `result.json`. All measurements cover the time after the start-up. */
export interface AllocationResult
  extends
    Pick<Allocation, 'comparison' | 'treated'>,
    Pick<
      TrafficResult,
      'seconds' | 'from_s' | 'lateness_p99_us' | 'switch_cpu_share' | 'others_pct' | 'steal_pct'
    > {
  /** Start time in ISO 8601. */
  readonly started_at: string;
  readonly units: readonly UnitResult[];
  readonly utilization_mean: number | null;
  readonly queue_p50_packets: number | null;
  readonly buffer_packets: number;
  /**
   * For each arm, the share of ACKs, among those that could grow a window, at which Linux considered the window the
   * sender's limit (`tcp_cwnd_validate`): an unused window does not grow. Null for an arm without ACKs. Only in virtual
   * time.
   */
  readonly window_limits_share?: Readonly<Record<ArmName, number | null>>;
}

/** Writes the results of each application. */
export function keepUnits(
  folder: string,
  traffic: Traffic,
  { units, ...allocation }: Allocation,
  { result, started_at }: Evaluated,
): RunOutcome {
  const record = allocationResult({ ...allocation, units, traffic }, result, started_at);
  const lost = units.length - record.units.length;
  if (lost > 0) return { kind: 'failed', reason: `${lost} applications lost a connection` };
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify(record)}\n`);
  return { kind: 'finished' };
}

/** Returns the record of a run. A unit is missing if the kernel no longer knew one of its connections. */
export function allocationResult(
  { comparison, treated, traffic, units }: Allocation & { readonly traffic: Traffic },
  result: TrafficResult,
  started_at: string,
): AllocationResult {
  const { seconds, from_s, lateness_p99_us, switch_cpu_share, others_pct, steal_pct } = result;
  return {
    ...{ comparison, treated, started_at, seconds, from_s },
    units: units.flatMap((unit) => unitResult(unit, result.flows, seconds - from_s) ?? []),
    utilization_mean: result.utilization.mean,
    queue_p50_packets: depthQuantile(result.depths, 0.5),
    buffer_packets: traffic.queue.packets,
    ...{ lateness_p99_us, switch_cpu_share, others_pct, steal_pct },
  };
}

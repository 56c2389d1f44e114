import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closing } from '../../../system/closing.ts';
import type { RunOutcome } from '../../runs/experiment.ts';
import { depthQuantile } from '../figures/depth-quantile.ts';
import { measureTraffic } from '../../traffic/measure-traffic.ts';
import { trafficResult, type TrafficResult } from '../../traffic/traffic-result.ts';
import { unusable } from '../../traffic/unusable.ts';
import type { AllocationSpec } from './allocation-spec.ts';
import type { ArmName } from './cell.ts';
import { unitResult, type UnitResult } from './unit-result.ts';

/** The content of `result.json`. Everything measured is of the time after the start-up. */
export interface AllocationResult
  extends
    Pick<AllocationSpec, 'comparison' | 'treated'>,
    Pick<
      TrafficResult,
      'seconds' | 'from_s' | 'lateness_p99_us' | 'switch_cpu_share' | 'others_pct' | 'steal_pct'
    > {
  /** ISO 8601. */
  readonly started_at: string;
  readonly units: readonly UnitResult[];
  readonly utilization_mean: number | null;
  readonly queue_p50_packets: number | null;
  readonly buffer_packets: number;
  /**
   * Of the ACKs at which an arm's windows might have grown, the share at which Linux took the window for what held the sender
   * back (`tcp_cwnd_validate`): a window that is not used does not grow. Null for an arm without ACKs. In virtual time only.
   */
  readonly window_limits_share?: Readonly<Record<ArmName, number | null>>;
}

/** Runs the ten applications at one allocation and writes what each of them got. `closing` ends it early. */
export async function runAllocation(spec: AllocationSpec, closing: Closing): Promise<RunOutcome> {
  const ending = new AbortController();
  const started_at = new Date().toISOString();
  const measuring = measureTraffic(spec.traffic, ending.signal);
  closing.later({
    close: () => {
      ending.abort();
      return measuring.catch(() => undefined);
    },
  });
  const { result } = trafficResult(spec.traffic, await measuring);
  const refused = unusable(result);
  if (refused) return refused;
  const record = allocationResult(spec, result, started_at);
  const lost = spec.units.length - record.units.length;
  if (lost > 0) return { kind: 'failed', reason: `${lost} applications lost a connection` };
  await writeFile(join(spec.folder, 'result.json'), `${JSON.stringify(record)}\n`);
  return { kind: 'finished' };
}

/** What is kept of a run; a unit of which the kernel had forgotten a connection is missing. */
export function allocationResult(
  { comparison, treated, traffic, units }: Omit<AllocationSpec, 'folder'>,
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

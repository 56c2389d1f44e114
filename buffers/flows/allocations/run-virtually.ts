import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOutcome } from '../../../emulation/harness/runs/study.ts';
import { depthQuantile } from '../figures/statistics.ts';
import { kernels } from '../../packets/kernel-rules.ts';
import type { SenderCounts } from '../../packets/sender/linux-sender.ts';
import { VIRTUAL_PACKET_BYTES, simulateFlows, type VirtualResult } from '../../packets/simulate-flows.ts';
import type { VirtualSpec } from './allocation-spec.ts';
import type { ArmName, Unit } from './cell.ts';
import type { AllocationResult } from './allocation-result.ts';
import { unitResult, type UnitResult } from './unit-result.ts';

/**
 * Simulates the ten applications at one allocation. Writes the results of each application in the same form as a live
 * run.
 */
export async function runVirtually(spec: VirtualSpec): Promise<RunOutcome> {
  const { traffic, kernel, seed, folder } = spec;
  const started_at = new Date().toISOString();
  const result = simulateFlows(traffic, { kernel: kernels[kernel], seed });
  await writeFile(
    join(folder, 'result.json'),
    `${JSON.stringify(virtualAllocation(spec, result, started_at))}\n`,
  );
  return { kind: 'finished' };
}

/** Returns the traffic of each application in `counted_s`, summed over its flows. */
export function virtualUnits(
  units: readonly Unit[],
  flows: readonly SenderCounts[],
  counted_s: number,
): UnitResult[] {
  const bytes = (packets: number) => packets * VIRTUAL_PACKET_BYTES;
  const summaries = flows.map(({ acked, sent, retransmitted }, flow) => ({
    flow,
    acked_bytes: bytes(acked),
    sent_bytes: bytes(sent),
    retransmitted_bytes: bytes(retransmitted),
  }));
  return units.flatMap((unit) => unitResult(unit, summaries, counted_s) ?? []);
}

/** Returns the record of a run in virtual time, in which no switch or machine can be late or busy. */
function virtualAllocation(
  { comparison, treated, traffic, units }: VirtualSpec,
  { flows, utilization, depths }: VirtualResult,
  started_at: string,
): AllocationResult {
  const { seconds, from_s, queue } = traffic;
  return {
    ...{ comparison, treated, started_at, seconds, from_s },
    units: virtualUnits(units, flows, seconds - from_s),
    utilization_mean: utilization,
    queue_p50_packets: depthQuantile(depths, 0.5),
    buffer_packets: queue.packets,
    window_limits_share: {
      treatment: limitedShare(units, flows, 'treatment'),
      control: limitedShare(units, flows, 'control'),
    },
    ...{ lateness_p99_us: 0, switch_cpu_share: 0, others_pct: 0, steal_pct: null },
  };
}

function limitedShare(units: readonly Unit[], flows: readonly SenderCounts[], arm: ArmName): number | null {
  const own = units.flatMap((unit) =>
    unit.arm === arm ? unit.flows.flatMap((flow) => flows[flow] ?? []) : [],
  );
  const sum = (count: 'acks' | 'limitedAcks') => own.reduce((total, counts) => total + counts[count], 0);
  // BBR counts no such ACKs, because its window grows by other rules.
  return sum('acks') > 0 ? sum('limitedAcks') / sum('acks') : null;
}

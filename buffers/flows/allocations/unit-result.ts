import type { FlowSummary } from '../../traffic/flow-summary.ts';
import type { ArmName, Unit } from './cell.ts';

/** The results of one application after the start-up, summed over its connections. */
export interface UnitResult {
  readonly unit: number;
  readonly arm: ArmName;
  readonly throughput_kbps: number;
  /** The share of the sent bytes that were retransmissions, %. */
  readonly retransmit_pct: number;
}

/**
 * Returns the results of a unit. Undefined if the kernel no longer knew one of its connections, although bulk
 * connections never end by themselves.
 */
export function unitResult(
  { unit, arm, flows }: Unit,
  summaries: readonly Pick<FlowSummary, 'flow' | 'acked_bytes' | 'sent_bytes' | 'retransmitted_bytes'>[],
  counted_s: number,
): UnitResult | undefined {
  const sum = { acked_bytes: 0, sent_bytes: 0, retransmitted_bytes: 0 };
  for (const flow of flows) {
    const summary = summaries.find((each) => each.flow === flow);
    for (const count of ['acked_bytes', 'sent_bytes', 'retransmitted_bytes'] as const) {
      const value = summary?.[count] ?? null;
      if (value === null) return undefined;
      sum[count] += value;
    }
  }
  return {
    unit,
    arm,
    throughput_kbps: (sum.acked_bytes * 8) / 1000 / counted_s,
    retransmit_pct: sum.sent_bytes > 0 ? (100 * sum.retransmitted_bytes) / sum.sent_bytes : 0,
  };
}

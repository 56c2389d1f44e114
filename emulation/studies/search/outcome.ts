import { mean } from '../../ground/statistics/bootstrap.ts';
import type { SessionSummary } from '../../../src/session/summary.ts';

/** The values of one session from which the objectives are computed. */
export interface Outcome {
  readonly chunk_throughput_kbps: number | null;
  readonly rebuffer_ratio: number;
  readonly mean_ssim_db: number | null;
}

/** A session that never began to play counts as one long stall, as in the lab's reports. */
export const toOutcome = ({
  play_delay_ms,
  chunk_throughput_kbps,
  rebuffer_ratio,
  mean_ssim_db,
}: SessionSummary): Outcome => ({
  chunk_throughput_kbps,
  rebuffer_ratio: play_delay_ms === null ? 1 : rebuffer_ratio,
  mean_ssim_db,
});

/** A session compared with the unpaced session on the same trace. */
export interface Relative {
  readonly throughput_pct: number | null;
  /** The difference of the rebuffer ratios, in percentage points. */
  readonly stall_points: number;
  readonly ssim_db: number | null;
}

export type Objective = keyof Relative;

/** The objectives, with the direction of the optimization. */
export const OBJECTIVES: readonly {
  readonly name: Objective;
  readonly direction: 'minimize' | 'maximize';
}[] = [
  { name: 'throughput_pct', direction: 'minimize' },
  { name: 'stall_points', direction: 'minimize' },
  { name: 'ssim_db', direction: 'maximize' },
];

export function relativeTo(unpaced: Outcome, outcome: Outcome): Relative {
  const [before, after] = [unpaced.chunk_throughput_kbps, outcome.chunk_throughput_kbps];
  return {
    throughput_pct: before === null || after === null ? null : 100 * (after / before - 1),
    stall_points: 100 * (outcome.rebuffer_ratio - unpaced.rebuffer_ratio),
    ssim_db:
      unpaced.mean_ssim_db === null || outcome.mean_ssim_db === null
        ? null
        : outcome.mean_ssim_db - unpaced.mean_ssim_db,
  };
}

/** The means over the traces. A trace on which nothing played has no values, and is omitted. */
export type Objectives = Readonly<Record<Objective, number>>;

export function meanOver(traces: readonly Relative[]): Objectives {
  const of = (name: Objective): number => {
    const values = traces.flatMap((each) => each[name] ?? []);
    return values.length === 0 ? 0 : mean(values);
  };
  return { throughput_pct: of('throughput_pct'), stall_points: of('stall_points'), ssim_db: of('ssim_db') };
}

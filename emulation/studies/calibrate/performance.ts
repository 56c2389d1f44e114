import type { MeasuredFlows } from '../../network/schemes/measured.ts';
import { computeStatistics } from '../pantheon/flow-statistics.ts';
import type { Performance, Performances } from './replication-error.ts';
import { mean } from '../../ground/statistics/bootstrap.ts';

export type RunScheme = (scheme: string, seed: number) => MeasuredFlows | Promise<MeasuredFlows>;

export interface Scenario {
  readonly schemes: readonly string[];
  readonly seconds: number;
  /** The length of the start-up, s, which is not measured. */
  readonly from_s: number;
}

export interface Measured {
  readonly performances: Performances;
  /** The lowest delay of any packet of any run. */
  readonly least_delay_ms: number;
}

/**
 * The performance of a run without any arrival. Its delay is the length of the run, which is longer than any real
 * delay.
 */
const noArrival = (seconds: number): Performance => ({ throughput_mbps: 0, delay_p95_ms: seconds * 1000 });

/** Runs every scheme with every seed, and takes the means of each scheme's runs. */
export async function measurePath(
  run: RunScheme,
  { schemes, seconds, from_s }: Scenario,
  seeds: readonly number[],
): Promise<Measured> {
  const performances: Record<string, Performance> = {};
  let least_delay_ms = Infinity;
  for (const scheme of schemes) {
    const runs: Performance[] = [];
    for (const seed of seeds) {
      const measured = await run(scheme, seed);
      const { throughput_mbps, delay_p95_ms } = computeStatistics(measured, {
        starts_s: [0],
        from_s,
        seconds,
      });
      runs.push(delay_p95_ms === null ? noArrival(seconds) : { throughput_mbps, delay_p95_ms });
      for (const { delay_ms } of measured.packets) least_delay_ms = Math.min(least_delay_ms, delay_ms);
    }
    const meanField = (field: keyof Performance) => mean(runs.map((each) => each[field]));
    performances[scheme] = {
      throughput_mbps: meanField('throughput_mbps'),
      delay_p95_ms: meanField('delay_p95_ms'),
    };
  }
  return { performances, least_delay_ms };
}

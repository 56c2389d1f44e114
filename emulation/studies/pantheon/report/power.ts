import { runsOf, type SchemeRuns } from './charts.ts';
import { spreadOf } from './ellipse.ts';

/** Kleinrock's power of a scheme is its throughput over its delay; the highest, in Mbit/s per s. */
export function bestByPower(schemes: readonly SchemeRuns[]): { scheme: string; power: number } | undefined {
  const powers = schemes.flatMap((each) => {
    const runs = runsOf(each);
    if (runs.length === 0) return [];
    const { mean } = spreadOf(runs);
    return [{ scheme: each.scheme, power: (1000 * mean.throughput_mbps) / mean.delay_ms }];
  });
  return powers.toSorted((one, other) => other.power - one.power)[0];
}

import type { Closing } from '../../system/closing.ts';
import type { RunOutcome } from '../../emulation/harness/runs/study.ts';
import { measureTraffic } from '../traffic/measure-traffic.ts';
import { trafficResult } from '../traffic/traffic-result.ts';
import { unusable } from '../traffic/unusable.ts';
import { keepUnits } from './allocations/allocation-result.ts';
import { keepSeries } from './paper/run-files.ts';
import type { TrafficSpec } from './traffic-run.ts';

/** Runs the flows and writes the run's files. `closing` ends it early. */
export async function runTraffic(spec: TrafficSpec, closing: Closing): Promise<RunOutcome> {
  const { traffic, names, kept, folder } = spec;
  const started_at = new Date().toISOString();
  const flows = traffic.flows.map((flow) => ({
    ...flow,
    congestion_control: names[flow.congestion_control] ?? flow.congestion_control,
  }));
  const measured = await closing.until((signal) => measureTraffic({ ...traffic, flows }, signal));
  const evaluated = { ...trafficResult(traffic, measured), started_at };
  return (
    unusable(evaluated.result) ??
    (kept.as === 'series' ? keepSeries(folder, evaluated) : keepUnits(folder, traffic, kept, evaluated))
  );
}

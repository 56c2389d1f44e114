import type { Closing } from '../../system/closing.ts';
import type { RunOutcome } from '../../emulation/harness/runs/study.ts';
import { measureTraffic } from '../traffic/measure-traffic.ts';
import { trafficResult, type TrafficResult } from '../traffic/traffic-result.ts';
import { keepUnits } from './allocations/allocation-result.ts';
import { keepSeries } from './paper/run-files.ts';
import { trafficRun, type TrafficSpec } from './traffic-run.ts';
import { firstServed } from '../../emulation/ground/programs/first-served.ts';
import { serveRun } from '../../emulation/harness/runs/serve-run.ts';
import { findLateReason } from '../../emulation/network/measure/machine/late-rule.ts';

// Run with the highest priority: while the senders wait for a processor, the link would be idle.
firstServed();
serveRun(trafficRun, runTraffic);

/** Runs the flows and writes the run's files. `closing` can end the run early. */
async function runTraffic(spec: TrafficSpec, closing: Closing): Promise<RunOutcome> {
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

/** Returns the reason why a run is invalid: records were lost, or the switch was late. Undefined for a valid run. */
function unusable({
  conservation,
  lateness_p99_us,
}: Pick<TrafficResult, 'conservation' | 'lateness_p99_us'>): RunOutcome | undefined {
  const wrong = lossReason(conservation);
  if (wrong !== undefined) return { kind: 'failed', reason: wrong };
  const late = findLateReason(lateness_p99_us / 1000);
  return late === undefined ? undefined : { kind: 'invalid', reason: late };
}

function lossReason({
  frames_unaccounted,
  postcards_missing,
  tcp_records_lost,
}: TrafficResult['conservation']): string | undefined {
  if (frames_unaccounted !== 0) return `${frames_unaccounted} frames are not accounted for`;
  if (postcards_missing !== 0) return `${postcards_missing} postcards were lost; is the machine busy?`;
  if (tcp_records_lost !== 0)
    return `${tcp_records_lost} of the kernel's records were lost; is the machine busy?`;
  return undefined;
}

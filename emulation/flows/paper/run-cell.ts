import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closing } from '../../../system/closing.ts';
import { tooLate } from '../../measure/machine/late-rule.ts';
import type { RunOutcome } from '../../runs/experiment.ts';
import { measureTraffic } from '../traffic/measure-traffic.ts';
import { trafficResult, type TrafficResult } from '../traffic/traffic-result.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { writeSeries } from './run-files.ts';

/** What to run, as plain data. */
export interface CellSpec {
  readonly traffic: Traffic;
  /** The kernel's names of its congestion controls. */
  readonly names: Readonly<Record<string, string>>;
  /** The folder for the run's files. */
  readonly folder: string;
}

/** Runs the flows of one cell and writes their files. `closing` ends it early. */
export async function runCell({ traffic, names, folder }: CellSpec, closing: Closing): Promise<RunOutcome> {
  const ending = new AbortController();
  const flows = traffic.flows.map((flow) => ({
    ...flow,
    congestion_control: names[flow.congestion_control] ?? flow.congestion_control,
  }));
  const measuring = measureTraffic({ ...traffic, flows }, ending.signal);
  closing.later({
    close: () => {
      ending.abort();
      return measuring.catch(() => undefined);
    },
  });
  const { result, series } = trafficResult(traffic, await measuring);
  const wrong = lossOf(result.conservation);
  if (wrong !== undefined) return { kind: 'failed', reason: wrong };
  const late = tooLate(result.lateness_p99_us / 1000);
  if (late !== undefined) return { kind: 'invalid', reason: late };
  writeSeries(folder, series);
  await writeFile(join(folder, 'result.json'), `${JSON.stringify(result)}\n`);
  return { kind: 'finished' };
}

function lossOf({
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

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closing } from '../../../system/closing.ts';
import type { RunOutcome } from '../../runs/experiment.ts';
import { measureTraffic } from '../../traffic/measure-traffic.ts';
import { trafficResult } from '../../traffic/traffic-result.ts';
import { unusable } from '../../traffic/unusable.ts';
import type { CellSpec } from './cell-spec.ts';
import { writeSeries } from './run-files.ts';

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
  const refused = unusable(result);
  if (refused) return refused;
  writeSeries(folder, series);
  await writeFile(join(folder, 'result.json'), `${JSON.stringify(result)}\n`);
  return { kind: 'finished' };
}

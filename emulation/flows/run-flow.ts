import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closing } from '../../system/closing.ts';
import { tooLate } from '../measure/machine/late-rule.ts';
import type { RunOutcome } from '../runs/experiment.ts';
import { writeCsv } from '../files/csv.ts';
import type { FlowSpec } from './flow-spec.ts';
import { flowResult, type Flow } from './flow-result.ts';
import { measureFlow } from './measure-flow.ts';

/** Runs one flow and writes its files. `closing` ends it early. */
export async function runFlow({ cell, k, seconds, folder }: FlowSpec, closing: Closing): Promise<RunOutcome> {
  const ending = new AbortController();
  const measuring = measureFlow(cell, seconds, ending.signal);
  closing.later({
    close: () => {
      ending.abort();
      return measuring.catch(() => undefined);
    },
  });
  const flow = flowResult(cell, k, seconds, await measuring);
  const lost = flow.result.postcards_lost;
  if (lost > 0) return { kind: 'failed', reason: `${lost} postcards were lost; is the machine busy?` };
  const late = tooLate(flow.result.lateness_p99_us / 1000);
  if (late !== undefined) return { kind: 'invalid', reason: late };
  await writeFlow(folder, flow);
  return { kind: 'finished' };
}

async function writeFlow(folder: string, { result, queue, tcp }: Flow): Promise<void> {
  // Microseconds need more decimals than the tables of sessions have.
  const time = (t_s: number) => t_s.toFixed(6);
  await writeCsv(
    join(folder, 'queue.csv'),
    ['t_s', 'depth_packets', 'depth_bytes'],
    queue.map(({ t_s, depth_packets, depth_bytes }) => [time(t_s), depth_packets, depth_bytes]),
  );
  await writeCsv(
    join(folder, 'tcp.csv'),
    ['t_s', 'cwnd_packets', 'ssthresh_packets', 'srtt_ms'],
    tcp.map(({ t_s, cwnd_packets, ssthresh_packets, srtt_ms }) => [
      time(t_s),
      cwnd_packets,
      ssthresh_packets,
      srtt_ms,
    ]),
  );
  await writeFile(join(folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
}

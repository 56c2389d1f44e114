import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCsv } from '../../../emulation/ground/files/csv.ts';
import type { RunOutcome } from '../../../emulation/harness/runs/study.ts';
import type { Traffic } from '../../traffic/traffic.ts';
import { finishedRuns } from '../finished-runs.ts';
import type { Evaluated } from '../evaluated.ts';
import { singleCells, type SingleRun } from './cells.ts';
import { flowResult, type FlowResult } from './flow-result.ts';

/** Writes the queue that each packet found, the window at each ACK, and what they come to. */
export async function keepSingle(
  folder: string,
  traffic: Traffic,
  run: SingleRun,
  { measured }: Pick<Evaluated, 'measured'>,
): Promise<RunOutcome> {
  const { result, queue, tcp } = flowResult(run, traffic, measured);
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
  return { kind: 'finished' };
}

/** Reads the results of finished flows, in the order of the cells. */
export const readResults = (outDir: string): FlowResult[] =>
  [...singleCells.keys()].flatMap((cell) =>
    finishedRuns<FlowResult>(outDir, cell).map(({ result }) => result),
  );

/** What each packet found waiting. */
export const readDepths = (outDir: string, result: FlowResult) =>
  readRows(outDir, result, 'queue.csv').map(([t_s = 0, depth_packets = 0]) => ({
    t_s,
    depth_packets,
    fate: 'forwarded',
  }));

export const readWindows = (outDir: string, result: FlowResult) =>
  readRows(outDir, result, 'tcp.csv').map(([t_s = 0, cwnd_packets = 0]) => ({ t_s, cwnd_packets }));

function readRows(outDir: string, { cell, k }: FlowResult, name: string): number[][] {
  const file = join(outDir, 'runs', cell, String(k), name);
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => line.split(',').map(Number));
}

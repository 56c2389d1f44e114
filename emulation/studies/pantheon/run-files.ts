import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { asJson } from '../../../system/replace-files.ts';
import { finishedRuns } from '../../harness/runs/finished-run.ts';
import type { MeasuredFlows, MeasuredPacket } from '../../network/schemes/measured.ts';
import { findLateReason } from '../../network/measure/machine/late-rule.ts';
import { findFault, computeStatistics, type RunStatistics } from './flow-statistics.ts';
import type { PantheonSpec } from './run-spec.ts';
import type { PantheonCell } from './settings.ts';

/** The format of `result.json`. */
export interface PantheonResult {
  readonly cell: PantheonCell;
  readonly k: number;
  readonly started_at: string;
  readonly seconds: number;
  readonly from_s: number;
  /** The fault of the scheme, which makes its statistics invalid. */
  readonly fault: string | null;
  readonly statistics: RunStatistics;
  readonly postcards_missing: number;
  readonly lateness_p99_ms: number | null;
  /** Why the machine disturbed the run. The run is kept because every other attempt was disturbed too. */
  readonly disturbed: string | null;
}

const RESULT = 'result.json';
const PACKETS = 'packets.csv.gz';

/** Writes a run's result, and a row for every packet: `flow,t_s,delay_ms,bytes`. */
export function keepRun(
  { cell, k, seconds, from_s, folder }: Pick<PantheonSpec, 'cell' | 'k' | 'seconds' | 'from_s' | 'folder'>,
  measured: MeasuredFlows,
  { starts_s, started_at }: { readonly starts_s: readonly number[]; readonly started_at: string },
): void {
  const { packets, postcards_missing, lateness_p99_ms } = measured;
  const result: PantheonResult = {
    ...{ cell, k, started_at, seconds, from_s },
    fault: findFault(measured, { seconds }) ?? null,
    statistics: computeStatistics(measured, { starts_s, from_s, seconds }),
    ...{ postcards_missing, lateness_p99_ms },
    disturbed: findLateReason(lateness_p99_ms) ?? null,
  };
  writeFileSync(join(folder, RESULT), asJson(result));
  const rows = packets.map(
    ({ flow, sent_s, delay_ms, bytes }) => `${flow + 1},${sent_s.toFixed(6)},${delay_ms.toFixed(3)},${bytes}`,
  );
  writeFileSync(join(folder, PACKETS), gzipSync(`flow,t_s,delay_ms,bytes\n${rows.join('\n')}\n`));
}

export const readRuns = (outDir: string, { name }: PantheonCell): PantheonResult[] =>
  finishedRuns<PantheonResult>(outDir, name).map(({ result }) => result);

export function readPackets(
  outDir: string,
  { cell, k }: Pick<PantheonResult, 'cell' | 'k'>,
): MeasuredPacket[] {
  const text = gunzipSync(readFileSync(join(outDir, 'runs', cell.name, String(k), PACKETS))).toString(
    'latin1',
  );
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [flow = 0, sent_s = 0, delay_ms = 0, bytes = 0] = line.split(',').map(Number);
      return { flow: flow - 1, sent_s, delay_ms, bytes };
    });
}

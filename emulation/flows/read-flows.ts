import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../files/read-json.ts';
import { flowCells, flowCellName } from './flow-cells.ts';
import type { QueueRow } from '../links/postcard-link.ts';
import type { FlowResult, WindowRow } from './flow-result.ts';

/** Reads the results of finished flows, in the order of the cells. */
export const readResults = (outDir: string): FlowResult[] =>
  flowCells.flatMap((cell) => {
    const folder = join(outDir, 'runs', flowCellName(cell));
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .sort((one, other) => Number(one) - Number(other))
      .map((k) => readJson(join(folder, k, 'result.json'), (value) => value as FlowResult));
  });

export const readQueue = (outDir: string, result: FlowResult): QueueRow[] =>
  readRows(outDir, result, 'queue.csv').map(([t_s = 0, depth_packets = 0, depth_bytes = 0]) => ({
    t_s,
    depth_packets,
    depth_bytes,
  }));

export const readWindow = (outDir: string, result: FlowResult): Pick<WindowRow, 't_s' | 'cwnd_packets'>[] =>
  readRows(outDir, result, 'tcp.csv').map(([t_s = 0, cwnd_packets = 0]) => ({ t_s, cwnd_packets }));

function readRows(outDir: string, { cell, k }: FlowResult, name: string): number[][] {
  const [, ...lines] = readFileSync(join(outDir, 'runs', cell, String(k), name), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => line.split(',').map(Number));
}

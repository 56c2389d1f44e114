import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../files/read-json.ts';
import type { CellRun } from '../figures/figure.ts';
import type { TrafficResult } from '../../traffic/traffic-result.ts';
import { bufferPackets } from './cell.ts';
import { readPackets, readWindows } from './run-files.ts';
import { cellsOf, type PaperSettings } from './settings.ts';

/** Reads the finished runs, in the order of the figures' cells. */
export const readRuns = (outDir: string, settings: PaperSettings): CellRun[] =>
  [...cellsOf(settings)].flatMap(([name, cell]) => {
    const folder = join(outDir, 'runs', name);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .toSorted((one, other) => Number(one) - Number(other))
      .map((k) => ({
        cell,
        name,
        k: Number(k),
        buffer_packets: bufferPackets(cell, settings),
        result: readJson(join(folder, k, 'result.json'), (value) => value as TrafficResult),
        packets: () => readPackets(join(folder, k)),
        windows: () => readWindows(join(folder, k)),
      }));
  });

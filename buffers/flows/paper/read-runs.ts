import type { TrafficResult } from '../../traffic/traffic-result.ts';
import type { CellRun } from '../figures/figure.ts';
import { finishedRuns } from '../../../emulation/harness/runs/finished-run.ts';
import { bufferPackets } from './cell.ts';
import { readPackets, readWindows } from './run-files.ts';
import { plannedCells, type PaperSettings } from './settings.ts';

/** Reads the finished runs, in the order of the figures' cells. */
export const readRuns = (outDir: string, settings: PaperSettings): CellRun[] =>
  [...plannedCells(settings)].flatMap(([name, cell]) =>
    finishedRuns<TrafficResult>(outDir, name).map(({ k, folder, result }) => ({
      ...{ cell, name, k, result },
      buffer_packets: bufferPackets(cell, settings),
      packets: () => readPackets(folder),
      windows: () => readWindows(folder),
    })),
  );

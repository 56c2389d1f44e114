import {
  cellNamed,
  type Study,
  type Runner,
  type PlannedRun,
  type Settings,
} from '../../../emulation/harness/runs/study.ts';
import { places } from '../../../emulation/harness/runs/place.ts';
import { inProcess } from '../../../emulation/harness/runs/in-process.ts';
import { burstProblem } from '../../traffic/burst-problem.ts';
import { makeLive } from '../live-cells.ts';
import { cellName, allocationTraffic, type Cell } from './cell.ts';
import { ALLOCATION_OPTIONS } from './options.ts';
import { virtualRun, type VirtualSpec } from './allocation-spec.ts';
import { plannedCells, planAllocations, type AllocationSettings } from './settings.ts';

/** The time limit of a virtual run is `PATIENCE_S`, plus this many seconds for each second of virtual time. */
const PATIENCE_VIRTUAL = 60;
const PATIENCE_S = 180;

/** Runs ten applications that share a link at every allocation of a treatment, one allocation after the other. */
export const allocationExperiment = (
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
): Study<typeof ALLOCATION_OPTIONS, AllocationSettings> => ({
  ...about,
  options: ALLOCATION_OPTIONS,
  places: places(['light', 'p4', 'real'], ['model', 'virtual', 'virtual']),
  record: 'result.json',
  plan: (asked, before) => planAllocations(about, asked, before),
  async make(settings, context) {
    const cells = new Map(plannedCells(settings).map((cell) => [cellName(cell), cell]));
    if (settings.kernel !== undefined) return makeVirtually(cells, settings);
    const noBursts = burstProblem(settings.burst_packets);
    if (noBursts !== undefined) throw new Error(`${noBursts}; --burst 1 does without, or --backend model`);
    const listControls = ({ comparison: { control, treatment } }: Cell) => [
      control.congestion_control,
      treatment.congestion_control,
    ];
    const makeSpec = (cell: Cell, { k }: PlannedRun) => {
      const { traffic, ...allocation } = runSpec(cell, settings, k);
      return { traffic, kept: { as: 'units', ...allocation } as const };
    };
    return makeLive({ cells, listControls, makeSpec }, settings, context);
  },
  loadReport: () => import('./write-report.ts'),
  report: async (outDir) => (await import('./write-report.ts')).writeAllocationReport(outDir),
});

/** Makes runs in virtual time, which need no other programs. */
const makeVirtually = (cells: ReadonlyMap<string, Cell>, settings: AllocationSettings): Runner => ({
  run({ cell, k }, folder, signal) {
    const { seconds, kernel = '5.5' } = settings;
    const spec: VirtualSpec = { ...runSpec(cellNamed(cells, cell), settings, k), folder, kernel, seed: k };
    const within_s = PATIENCE_S + seconds * PATIENCE_VIRTUAL;
    return inProcess(virtualRun, spec, { within_s, signal });
  },
});

const runSpec = (cell: Cell, settings: AllocationSettings, k: number) => ({
  ...{ comparison: cell.comparison.name, treated: cell.treated },
  ...allocationTraffic(cell, settings, { from_s: settings.from_s, seconds: settings.seconds, seed: k }),
});

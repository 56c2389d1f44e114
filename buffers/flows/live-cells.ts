import { loadCongestionControls } from '../../emulation/network/congestion/congestion-controls.ts';
import {
  cellNamed,
  type Runner,
  type PlannedRun,
  type Settings,
  type RunContext,
} from '../../emulation/harness/runs/study.ts';
import { inProcess } from '../../emulation/harness/runs/in-process.ts';
import { prepareLiveSwitch } from '../../emulation/harness/runs/remove-stale.ts';
import { trafficRun, type TrafficSpec } from './traffic-run.ts';

/** The time that a run may take beyond its flows, s. */
const PATIENCE_S = 180;

/** The cells of an experiment of flows on the live switch. */
export interface LiveCells<Cell> {
  readonly cells: ReadonlyMap<string, Cell>;
  /** The lab's names of a cell's congestion controls. */
  readonly listControls: (cell: Cell) => readonly string[];
  /** The same `k` starts a cell's flows at the same times. */
  readonly makeSpec: (cell: Cell, run: PlannedRun) => Pick<TrafficSpec, 'traffic' | 'kept'>;
}

/** Prepares switch and congestion controls; cells whose congestion control this machine lacks are skipped. */
export async function makeLive<Cell>(
  { cells, listControls, makeSpec }: LiveCells<Cell>,
  { seconds }: Settings,
  { print, onClose }: RunContext,
): Promise<Runner> {
  await prepareLiveSwitch();
  const controls = await loadCongestionControls([...cells.values()].flatMap(listControls), print);
  onClose(() => controls.close());
  const { names, lacking } = controls;
  return {
    skipped: Object.fromEntries(
      [...cells].flatMap(([name, cell]) => {
        const missing = listControls(cell).find((each) => lacking[each] !== undefined);
        return missing === undefined ? [] : [[name, `the flows of ${missing}: ${lacking[missing]}`]];
      }),
    ),
    run(run, folder, signal) {
      const spec = { ...makeSpec(cellNamed(cells, run.cell), run), names, folder };
      return inProcess(trafficRun, spec, { within_s: seconds + PATIENCE_S, signal });
    },
  };
}

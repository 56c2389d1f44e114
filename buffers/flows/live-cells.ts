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

/** Seconds that a run may take in addition to the duration of its flows. */
const PATIENCE_S = 180;

/** The cells of an experiment of flows on the live switch. */
export interface LiveCells<Cell> {
  readonly cells: ReadonlyMap<string, Cell>;
  /** Returns the lab's names of a cell's congestion controls. */
  readonly listControls: (cell: Cell) => readonly string[];
  /** Makes the description of run `k` of a cell. With the same `k`, the cell's flows start at the same times. */
  readonly makeSpec: (cell: Cell, run: PlannedRun) => Pick<TrafficSpec, 'traffic' | 'kept'>;
}

/** Prepares the switch and the congestion controls. Skips cells whose congestion control this machine lacks. */
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

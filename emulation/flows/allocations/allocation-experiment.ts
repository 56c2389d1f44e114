import { liveLack } from '../../../p4/switch/live/live-lack.ts';
import { removeStale } from '../../runs/remove-stale.ts';
import type { Experiment, Making, PlannedRun, Settings, Workshop } from '../../runs/experiment.ts';
import { inProcess } from '../../runs/in-process.ts';
import { loadCongestionControls } from '../../congestion/congestion-controls.ts';
import { burstLack } from '../../traffic/burst-lack.ts';
import { cellName, trafficOf, type Cell } from './cell.ts';
import { allocationRun, virtualRun, type AllocationSpec, type VirtualSpec } from './allocation-spec.ts';
import { cellsOf, planAllocations, type AllocationSettings } from './settings.ts';
import { writeAllocationReport } from './write-report.ts';

/** The time that a run may take beyond its flows, s. */
const PATIENCE_S = 180;
/** And how long a second of virtual time may. */
const PATIENCE_VIRTUAL = 60;

/** Runs ten applications that share a link at every allocation of a treatment, one allocation after the other. */
export const allocationExperiment = (
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
): Experiment<AllocationSettings> => ({
  ...about,
  plan: (asked, before) => planAllocations(about, asked, before),
  make: makeAllocations,
  report: writeAllocationReport,
});

async function makeAllocations(settings: AllocationSettings, workshop: Workshop): Promise<Making> {
  if (settings.kernel !== undefined) return makeVirtually(settings);
  const { print, onClose } = workshop;
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
  const noBursts = burstLack(settings.burst_packets ?? 1);
  if (noBursts !== undefined)
    throw new Error(`${noBursts}; --burst 1 does without, or --kernel in virtual time`);
  await removeStale();
  const cells = new Map(cellsOf(settings).map((cell) => [cellName(cell), cell]));
  const wanted = [...cells.values()].flatMap((cell) => waysOf(cell).map((way) => way.congestion_control));
  const controls = await loadCongestionControls(wanted, print);
  onClose(() => controls.close());
  return {
    skipped: Object.fromEntries(
      [...cells].flatMap(([name, cell]) => {
        const lacking = waysOf(cell).find((way) => controls.lacking[way.congestion_control] !== undefined);
        if (!lacking) return [];
        const { congestion_control } = lacking;
        return [[name, `the flows of ${congestion_control}: ${controls.lacking[congestion_control]}`]];
      }),
    ),
    run({ cell: name, k }: PlannedRun, folder, signal) {
      const cell = cells.get(name);
      if (!cell) throw new Error(`there is no cell '${name}'`);
      const { from_s, seconds } = settings;
      const { traffic, units } = trafficOf(cell, settings, { from_s, seconds, seed: k });
      const flows = traffic.flows.map((flow) => ({
        ...flow,
        congestion_control: controls.names[flow.congestion_control] ?? flow.congestion_control,
      }));
      const spec: AllocationSpec = {
        ...{ comparison: cell.comparison.name, treated: cell.treated, units, folder },
        traffic: { ...traffic, flows },
      };
      return inProcess(allocationRun, spec, {
        within_s: seconds + PATIENCE_S,
        signal,
      });
    },
  };
}

/** Nothing is started: a run is a computation. */
function makeVirtually(settings: AllocationSettings): Making {
  const cells = new Map(cellsOf(settings).map((cell) => [cellName(cell), cell]));
  return {
    run({ cell: name, k }, folder, signal) {
      const cell = cells.get(name);
      if (!cell) throw new Error(`there is no cell '${name}'`);
      const { from_s, seconds, kernel = '5.5' } = settings;
      const { traffic, units } = trafficOf(cell, settings, { from_s, seconds, seed: k });
      const spec: VirtualSpec = {
        ...{ comparison: cell.comparison.name, treated: cell.treated, units, folder },
        ...{ traffic, kernel, seed: k },
      };
      return inProcess(virtualRun, spec, {
        within_s: PATIENCE_S + seconds * PATIENCE_VIRTUAL,
        signal,
      });
    },
  };
}

const waysOf = ({ comparison: { control, treatment } }: Cell) => [control, treatment];

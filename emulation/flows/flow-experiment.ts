import { liveLack } from '../../p4/switch/live/live-lack.ts';
import { removeStale } from '../runs/remove-stale.ts';
import type { Experiment, Making, Settings } from '../runs/experiment.ts';
import { inProcess } from '../runs/in-process.ts';
import { flowCellName, flowCells } from './flow-cells.ts';
import { flowRun } from './flow-spec.ts';
import { ownSettings, planFlows, type FlowSettings } from './settings.ts';
import { writeBufferReport } from './write-buffer-report.ts';

/** The time that a flow's run may take beyond the flow itself, s. */
const PATIENCE_S = 120;

/** Runs one long flow after the other: each congestion control through each buffer of the P4 switch. */
export const flowExperiment = (
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
): Experiment<FlowSettings> => ({
  ...about,
  plan: (asked, before) => planFlows(before ?? ownSettings(about), asked),
  make: makeFlows,
  report: writeBufferReport,
});

async function makeFlows({ seconds }: FlowSettings): Promise<Making> {
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
  await removeStale();
  return {
    run({ cell: name, k }, folder, signal) {
      const cell = flowCells.find((each) => flowCellName(each) === name);
      if (!cell) throw new Error(`there is no flow '${name}'`);
      const spec = { cell, k, seconds, folder };
      return inProcess(flowRun, spec, {
        within_s: seconds + PATIENCE_S,
        signal,
      });
    },
  };
}

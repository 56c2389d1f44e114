import type { Study, Settings } from '../../../emulation/harness/runs/study.ts';
import { FLOW_PLACES } from '../flow-options.ts';
import { makeLive, type LiveCells } from '../live-cells.ts';
import { trafficOf } from '../paper/cell.ts';
import { LINK, singleCells, type SingleCell } from './cells.ts';
import { ownSettings, planFlows, SINGLE_OPTIONS, type FlowSettings } from './settings.ts';

/** Slow start at most, s. */
const START_UP_MOST_S = 5;

/** Runs one long flow after the other: each congestion control through each buffer of the P4 switch. */
export const flowExperiment = (
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
): Study<typeof SINGLE_OPTIONS, FlowSettings> => ({
  ...about,
  options: SINGLE_OPTIONS,
  places: FLOW_PLACES,
  record: 'result.json',
  plan: (asked, before) => planFlows(before ?? ownSettings(about), asked),
  make(settings, context) {
    const { seconds } = settings;
    const from_s = Math.min(START_UP_MOST_S, seconds / 4);
    const live: LiveCells<SingleCell> = {
      cells: singleCells,
      controlsOf: ({ congestion }) => [congestion],
      runOf: (cell, { cell: name, k }) => ({
        traffic: trafficOf(cell, LINK, { from_s, seconds, seed: k }),
        kept: {
          as: 'single',
          cell: name,
          k,
          congestion_control: cell.congestion,
          buffer_bdp: cell.buffer_bdp,
        },
      }),
    };
    return makeLive(live, settings, context);
  },
  report: async (outDir) => (await import('./write-report.ts')).writeBufferReport(outDir),
});

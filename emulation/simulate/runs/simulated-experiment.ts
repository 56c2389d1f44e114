import { bigBuckBunny } from '../../../media/films/big-buck-bunny.ts';
import { BUNNY_FOLDER } from '../../../media/films/bunny-folder.ts';
import { armOf } from '../../arms/tuned.ts';
import type { SessionSettings } from '../../session/session-settings.ts';
import { writeReport } from '../../report/write-report.ts';
import type { Experiment, Making, Workshop } from '../../runs/experiment.ts';
import { linksOf, planSessions } from '../../sessions/plan-sessions.ts';
import { specOf } from '../../sessions/spec-of.ts';
import { congestionControlNamed } from '../../virtual/rounds/congestion/index.ts';
import { simulatedNeighbour } from '../../simulator/neighbours/index.ts';
import { capacityOf } from '../../virtual/rounds/capacity-of.ts';
import { runMakers } from './run-makers.ts';

export interface Simulating {
  /** Processes. */
  readonly jobs: number;
  /** Of random loss, and of where in the film a run begins. */
  readonly seed: number;
  /** Its links are to be as the lab makes them. */
  readonly asLab: boolean;
  /** The runs also say what the paced requests would have taken without their paces. */
  readonly forks?: boolean | undefined;
}

/** An experiment of sessions, with the simulator to make them instead of a browser: the same runs, files and report. */
export const simulatedExperiment = (
  settings: SessionSettings,
  simulating: Simulating,
): Experiment<SessionSettings> => {
  const about = `${settings.about}; simulated`;
  return {
    name: settings.name,
    about,
    figure: settings.figure,
    plan: (asked, before) => ({ ...planSessions(before ?? { ...settings, about }, asked), overhead_s: 0 }),
    make: (resolved, workshop) => makeSimulated(resolved, workshop, simulating),
    report: writeReport,
  };
};

async function makeSimulated(
  settings: SessionSettings,
  { outDir, onClose }: Workshop,
  { jobs, seed, asLab, forks }: Simulating,
): Promise<Making> {
  requireSimulated(settings);
  if (forks && settings.viewers === 'page')
    throw new Error('--forks needs the model: what dash.js would do is not known before it does it');
  for (const { rate } of linksOf(settings)) await capacityOf(rate);
  const makers = runMakers(jobs);
  onClose(() => makers.close());
  return {
    versions: { film: bigBuckBunny.title, chromium: 'none, simulated', mahimahi: 'none, simulated' },
    run: async (run, folder) => {
      const spec = await specOf(run, settings, { outDir, folder, page: '', film: BUNNY_FOLDER });
      return makers.make({ ...spec, seed: seed + run.k, placeSeed: seed, asLab, forks });
    },
  };
}

/** Throws an Error of one line for an experiment with what the simulator has not. */
function requireSimulated({
  name,
  neighbour,
  conditions = [],
  switch: bottleneck,
  arms,
  tuned,
  congestionControl,
}: SessionSettings): void {
  const refuse = (what: string): never => {
    throw new Error(`experiment ${name} has ${what}, which the simulator has not`);
  };
  if (neighbour !== undefined) simulatedNeighbour(neighbour);
  if (bottleneck === 'p4') refuse('the P4 switch');
  if (conditions.some(({ burst_packets }) => burst_packets !== undefined)) refuse('bursts of a given size');
  for (const arm of arms) armOf({ ...(tuned && { tuned }) }, arm);
  congestionControlNamed(congestionControl ?? 'reno');
}

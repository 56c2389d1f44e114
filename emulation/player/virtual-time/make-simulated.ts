import { bigBuckBunny } from '../../../media/films/big-buck-bunny.ts';
import { BUNNY_FOLDER } from '../../../media/films/bunny-folder.ts';
import { findArm } from '../arms/tuned.ts';
import type { SessionSettings } from '../records/session-settings.ts';
import type { Runner, RunContext } from '../../harness/runs/study.ts';
import { listLinks } from '../real-time/plan-sessions.ts';
import type { SESSION_OPTIONS } from '../real-time/session-options.ts';
import { makeSpec } from '../real-time/make-spec.ts';
import { congestionControlNamed } from '../../network/virtual/rounds/congestion/index.ts';
import { simulatedNeighbor } from '../model/neighbors/index.ts';
import { readCapacity } from '../../network/virtual/rounds/read-capacity.ts';
import { runMakers } from './run-makers.ts';

/** Makes sessions with the simulator instead of a browser. Runs, files and report are the same. */
export async function makeSimulated(
  settings: SessionSettings,
  { asked, outDir, jobs, seed, onClose }: RunContext<typeof SESSION_OPTIONS>,
): Promise<Runner> {
  const { forks, 'exact-links': isExact = false } = asked;
  requireSimulated(settings);
  if (forks && settings.viewers === 'page')
    throw new Error('--forks needs --backend model: dash.js itself cannot be forked');
  for (const { rate } of listLinks(settings)) await readCapacity(rate);
  const makers = runMakers(jobs);
  onClose(() => makers.close());
  return {
    versions: { film: bigBuckBunny.title, chromium: 'none, simulated', mahimahi: 'none, simulated' },
    run: async (run, folder) => {
      const spec = await makeSpec(run, settings, { outDir, folder, page: '', film: BUNNY_FOLDER });
      return makers.make({ ...spec, seed: seed + run.k, placeSeed: seed, asLab: !isExact, forks });
    },
  };
}

/** Throws an Error of one line for an experiment that the simulator does not support. */
function requireSimulated({
  name,
  neighbor,
  conditions = [],
  arms,
  tuned,
  congestionControl,
}: SessionSettings): void {
  const refuse = (what: string): never => {
    throw new Error(`study ${name} has ${what}, which the simulator does not support`);
  };
  if (neighbor !== undefined) simulatedNeighbor(neighbor);
  if (conditions.some(({ burst_packets }) => burst_packets !== undefined)) refuse('bursts of a given size');
  for (const arm of arms) findArm({ ...(tuned && { tuned }) }, arm);
  congestionControlNamed(congestionControl ?? 'reno');
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProcessPool } from '../../../system/processes/process-pool.ts';
import { asJson } from '../../../system/replace-files.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { prepareLiveSwitch } from '../../harness/runs/remove-stale.ts';
import type { PlannedRun, RunContext, Runner } from '../../harness/runs/study.ts';
import type { LinkRun } from './link-run.ts';
import { linkWork } from './ran-links.ts';
import { tcpLinkRun } from './tcp/link-spec.ts';
import { HOUR_S, playedHours, WHOLE_DAY } from './tcp/real-time.ts';
import { linkCell, plannedLinks, type WorldSettings } from './world-settings.ts';

/** The time that a run of a link may take in addition to its hours, s. */
const PATIENCE_S = 180;

/** Makes runs of links: in virtual time, up to `jobs` at a time in separate processes, or over TCP. */
export async function makeWorld(
  settings: WorldSettings,
  { place, jobs, seed, onClose }: Pick<RunContext, 'place' | 'jobs' | 'seed' | 'onClose'>,
): Promise<Runner> {
  const findLink = ({ cell, k }: PlannedRun): LinkRun => {
    const found = plannedLinks(settings, seed, k).find((run) => linkCell(run) === cell);
    if (!found) throw new Error(`there is no link ${cell}`);
    return found;
  };
  if (place.backend === 'light') {
    await prepareLiveSwitch();
    const { hours = WHOLE_DAY } = settings;
    return {
      run(planned, folder, signal) {
        const run = findLink(planned);
        const spec = { run, hours: playedHours(run.days, hours), hour_s: HOUR_S, folder };
        return inProcess(tcpLinkRun, spec, { within_s: HOUR_S * spec.hours.length + PATIENCE_S, signal });
      },
    };
  }
  // Even a single link runs in a separate process, so that Ctrl-C works during the minutes that it takes.
  const pool = new ProcessPool(linkWork, undefined, jobs);
  onClose(() => pool.close());
  return {
    async run(planned, folder, signal) {
      writeFileSync(join(folder, 'link.json'), asJson({ rows: await pool.ask(findLink(planned), signal) }));
      return { kind: 'finished' };
    },
  };
}

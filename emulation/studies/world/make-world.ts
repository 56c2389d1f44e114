import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { liveLack } from '../../../p4/switch/live/live-lack.ts';
import { ProcessPool } from '../../../system/process-pool.ts';
import { asJson } from '../../../system/replace-files.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { removeStale } from '../../harness/runs/remove-stale.ts';
import type { PlannedRun, RunContext, Runner } from '../../harness/runs/study.ts';
import type { LinkRun } from './link-run.ts';
import { ranLinks } from './ran-links.ts';
import { runLink } from './run-link.ts';
import { tcpLinkRun } from './tcp/link-spec.ts';
import { HOUR_S, playedHours, WHOLE_DAY } from './tcp/real-time.ts';
import { cellOf, linksOf, type WorldSettings } from './world-settings.ts';

/** The time that a link may take beyond its hours, s. */
const PATIENCE_S = 180;

/** Plays links: in virtual time in `jobs` processes, or over TCP, each in a process of its own, so many at a time. */
export async function makeWorld(
  settings: WorldSettings,
  { place, jobs, seed, onClose }: Pick<RunContext, 'place' | 'jobs' | 'seed' | 'onClose'>,
): Promise<Runner> {
  const linkOf = ({ cell, k }: PlannedRun): LinkRun => {
    const found = linksOf(settings, seed, k).find((run) => cellOf(run) === cell);
    if (!found) throw new Error(`there is no link ${cell}`);
    return found;
  };
  if (place.backend === 'light') {
    const lack = liveLack();
    if (lack !== undefined)
      throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
    await removeStale();
    const { hours = WHOLE_DAY } = settings;
    return {
      run(planned, folder, signal) {
        const run = linkOf(planned);
        const spec = { run, hours: playedHours(run.days, hours), hour_s: HOUR_S, folder };
        return inProcess(tcpLinkRun, spec, { within_s: HOUR_S * spec.hours.length + PATIENCE_S, signal });
      },
    };
  }
  const play = playing(jobs, onClose);
  return {
    async run(planned, folder) {
      writeFileSync(join(folder, 'link.json'), asJson({ rows: await play(linkOf(planned)) }));
      return { kind: 'finished' };
    },
  };
}

/** In this process if it is the only one. */
function playing(jobs: number, onClose: RunContext['onClose']) {
  if (jobs === 1)
    return async (run: LinkRun) => {
      // So that Ctrl-C is heard.
      await setImmediate();
      return runLink(run);
    };
  const pool = new ProcessPool(ranLinks, undefined, jobs);
  onClose(() => pool.close());
  return (run: LinkRun) => pool.ask(run);
}

import type { RunOutcome } from '../../harness/runs/study.ts';
import { getLoad, planSessions, getSite } from './demand.ts';
import { playStack } from './play-stack.ts';
import { keepHour } from './run-files.ts';
import { hourRun, type HourSpec } from './run-spec.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';

serveRun(hourRun, runHour);

/** Plays an hour of a site on each of the site's stacks, which share nothing, and writes the results. */
function runHour(spec: HourSpec): Promise<RunOutcome> {
  const { site, hour, seconds, seed, arm, player, congestion_control, switches, folder } = spec;
  const sessions = planSessions(spec);
  const { queues } = getSite(site, switches);
  const stacks = spec.stacks.map((stack) => ({
    ...stack,
    ...playStack({
      ...{ queues, congestion_control, arm, player, seconds, seed, buffer_mb: stack.buffer_mb },
      sessions: sessions.filter((each) => each.stack === stack.name),
    }),
  }));
  keepHour(folder, { site, arm, hour, load: getLoad(hour), stacks });
  return Promise.resolve({ kind: 'finished' });
}

import { meanOrNull } from '../../ground/statistics/percentiles.ts';
import type { AskedPlace } from '../../harness/runs/place.ts';
import { runStudy } from '../../harness/runs/run-study.ts';
import type { MetricName } from '../../player/session/metrics.ts';
import { readRuns } from '../../player/session/read-runs.ts';
import { cellName } from '../../player/session/run-record.ts';
import type { AskedSessions } from '../../player/sessions/plan-sessions.ts';
import type { SessionStudy } from '../experiments/session-study.ts';
import type { Values } from './claims/evidence.ts';
import type { Measuring } from './measurement.ts';

/** dash.js itself without a browser, over a network in virtual time. */
export const PAGE: AskedPlace = { backend: 'page', link: 'virtual' };

interface SessionsRequest {
  readonly options: Pick<AskedSessions, 'arms' | 'conditions' | 'runs' | 'seconds'>;
  readonly place: AskedPlace;
  readonly metrics: readonly MetricName[];
}

/** Runs a study of sessions with the seed, and returns the means of each cell (`arm` or `arm@condition`). */
export async function measureSessions(
  study: SessionStudy,
  { options, place, metrics }: SessionsRequest,
  { seed, folder, signal }: Measuring,
): Promise<Values> {
  // Nobody reads a report of one seed.
  const unreported = { ...study, report: () => undefined };
  const asked = { ...options, jobs: 1 };
  const command = `run ${study.name}`;
  const made = await runStudy(unreported, {
    ...{ asked, place, seed, signal, command },
    ...{ outDir: folder, resume: false, isQuiet: true },
  });
  if (made !== 'complete') throw new Error(`${study.name} was cut off`);
  const runs = readRuns(folder);
  const cells = [...new Set(runs.map(({ arm, condition }) => cellName(arm, condition)))];
  return Object.fromEntries(
    cells.map((cell) => {
      const own = runs.filter(({ arm, condition }) => cellName(arm, condition) === cell);
      const meanOf = (metric: MetricName) => meanOrNull(own.flatMap((run) => run.metrics[metric] ?? []));
      return [cell, Object.fromEntries(metrics.map((metric) => [metric, meanOf(metric)]))];
    }),
  );
}

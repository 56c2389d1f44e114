import { meanOrNull } from '../../../ground/statistics/percentiles.ts';
import { runStudy } from '../../../harness/runs/run-study.ts';
import { cellName } from '../../../player/records/run-record.ts';
import { readRuns } from '../../../player/records/read-runs.ts';
import type { MetricName } from '../../../player/records/metrics.ts';
import type { SessionsRequest } from '../../../player/real-time/plan-sessions.ts';
import { history } from '../../sessions/history.ts';
import { networks as byRate } from '../../sessions/networks.ts';
import type { SessionStudy } from '../../sessions/session-study.ts';
import { single } from '../../sessions/single.ts';
import { tradeoff } from '../../sessions/tradeoff.ts';
import type { Values } from '../claims/evidence.ts';
import type { Measurement, Measuring } from '../measurement.ts';

interface SessionMeasurement extends Omit<Measurement, 'measure'> {
  readonly study: SessionStudy;
  readonly options: Pick<SessionsRequest, 'arms' | 'conditions' | 'seconds'>;
  /** The number of runs per cell and seed. */
  readonly runs: { readonly quick: number; readonly full: number };
  readonly metrics: readonly MetricName[];
}

/**
 * Makes a measurement from a study of sessions. dash.js itself plays them, without a browser, over a network in virtual
 * time.
 */
const sessionMeasurement = ({
  study,
  options,
  runs,
  metrics,
  ...measurement
}: SessionMeasurement): Measurement => ({
  ...measurement,
  measure: (measuring) =>
    measureSessions(
      study,
      { ...options, runs: runs[measuring.quick ? 'quick' : 'full'] },
      metrics,
      measuring,
    ),
});

/** A session without a neighbor on the link of Sammy §6. */
export const alone = sessionMeasurement({
  name: 'alone',
  about:
    'Sessions of 60 s alone at 40 Mbit/s and 5 ms with a queue of 100 kB: dash.js itself in virtual time. Each seed has as many places in the content, the first of which is its beginning.',
  cost_s: { quick: 12, full: 25 },
  seeds: { quick: 5, full: 10 },
  study: single,
  options: { arms: ['dashjs', 'naive-4x', 'initial-only', 'sammy-paper'], seconds: 60 },
  runs: { quick: 2, full: 4 },
  metrics: [
    ...(['chunk_throughput_kbps', 'rtt_median_ms', 'rtt_above_base_ms', 'playing_retransmit_bytes'] as const),
    ...(['play_delay_ms', 'mean_bitrate_kbps', 'mean_ssim_db', 'initial_ssim_db', 'rebuffer_ratio'] as const),
  ],
});

export const networks = sessionMeasurement({
  name: 'networks',
  about:
    'Sessions of 60 s alone at 4 to 120 Mbit/s and 5 ms with a queue of four bandwidth-delay products: dash.js itself in virtual time.',
  cost_s: { quick: 25, full: 50 },
  seeds: { quick: 3, full: 10 },
  study: byRate,
  options: { arms: ['dashjs', 'sammy-paper'], seconds: 60 },
  runs: { quick: 2, full: 4 },
  metrics: ['chunk_throughput_kbps', 'rtt_median_ms', 'mean_ssim_db', 'play_delay_ms', 'rebuffer_ratio'],
});

export const paceGrid = sessionMeasurement({
  name: 'pace-grid',
  about:
    'Sessions of 60 s alone at 40 Mbit/s and 5 ms with seven pairs of the pace multiples c0 and c1, and unpaced: dash.js itself in virtual time.',
  cost_s: { quick: 20, full: 40 },
  seeds: { quick: 3, full: 10 },
  study: tradeoff,
  options: { seconds: 60 },
  runs: { quick: 2, full: 4 },
  metrics: ['chunk_throughput_kbps', 'mean_ssim_db', 'least_buffer_s', 'rebuffer_ratio'],
});

/** Consecutive sessions of one viewer, who remembers throughputs. */
export const memory = sessionMeasurement({
  name: 'memory',
  about:
    "A viewer's sessions of 30 s, one after the other, at 4 Mbit/s and 40 ms: with a history of this network, and begun without one. dash.js itself in virtual time.",
  cost_s: { quick: 6, full: 10 },
  seeds: { quick: 5, full: 10 },
  study: history,
  options: { conditions: ['4mbps-with-history', '4mbps-without-history'] },
  runs: { quick: 3, full: 5 },
  metrics: ['initial_ssim_db', 'initial_bitrate_kbps', 'mean_ssim_db', 'play_delay_ms'],
});

/**
 * Runs a study of sessions with the seed of the measurement, and returns the means of each cell (`arm` or
 * `arm@condition`).
 */
async function measureSessions(
  study: SessionStudy,
  options: Pick<SessionsRequest, 'arms' | 'conditions' | 'runs' | 'seconds'>,
  metrics: readonly MetricName[],
  { seed, folder, signal }: Measuring,
): Promise<Values> {
  // Disables the study's report, because nobody needs a report of a single seed.
  const unreported = { ...study, report: () => undefined };
  const asked = { ...options, jobs: 1 };
  const command = `run ${study.name}`;
  const made = await runStudy(unreported, {
    ...{ asked, seed, signal, command, place: { backend: 'page', link: 'virtual' } },
    ...{ outDir: folder, resume: false, isQuiet: true },
  });
  if (made !== 'complete') throw new Error(`${study.name} was cut off`);
  const runs = readRuns(folder);
  const cells = [...new Set(runs.map(({ arm, condition }) => cellName(arm, condition)))];
  return Object.fromEntries(
    cells.map((cell) => {
      const own = runs.filter(({ arm, condition }) => cellName(arm, condition) === cell);
      const meanMetric = (metric: MetricName) => meanOrNull(own.flatMap((run) => run.metrics[metric] ?? []));
      return [cell, Object.fromEntries(metrics.map((metric) => [metric, meanMetric(metric)]))];
    }),
  );
}

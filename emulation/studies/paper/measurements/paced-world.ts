import { WORLD } from '../../world/demand.ts';
import { runLink } from '../../world/run-link.ts';
import type { Metric, SessionRow } from '../../world/session-row.ts';
import type { Values } from '../claims/evidence.ts';
import type { Measurement } from '../measurement.ts';
import { hourlyMean } from './hourly.ts';

const METRICS = [
  'chunk_throughput_kbps',
  'rtt_median_ms',
  'min_rtt_ms',
  'retransmit_pct',
  'play_delay_ms',
  'initial_bitrate_kbps',
  'mean_bitrate_kbps',
] as const satisfies readonly Metric[];
const DAYS = 5;

/** Counts rebuffers over all sessions, as Sammy's Table 2 does. Sessions that never played have none. */
function countRebuffers(rows: readonly SessionRow[]): Values[string] {
  const played = rows.filter(({ metrics }) => (metrics.played_s ?? 0) > 0);
  const sum = (metric: Metric) => played.reduce((total, { metrics }) => total + (metrics[metric] ?? 0), 0);
  const rebuffered = played.filter(({ metrics }) => (metrics.rebuffer_count ?? 0) > 0);
  return {
    rebuffered_pct: (100 * rebuffered.length) / played.length,
    rebuffers_per_hour: (3600 * sum('rebuffer_count')) / sum('played_s'),
  };
}

/** An A/B test of Sammy on one of the world's links, as in §5 of Sammy's paper. */
export const pacedWorld: Measurement = {
  name: 'paced-world',
  about:
    "An A/B test at 50% of HYB with Sammy's paces beside HYB unpaced: five weekdays of 940 sessions on a link of 60 Mbit/s that is full at the evening peak. In virtual time, on a fluid model of the link. Means of hours, which weigh the same.",
  cost_s: { quick: 20, full: 20 },
  seeds: { quick: 3, full: 10 },
  measure: ({ seed }) => {
    const rows = runLink({ world: WORLD, days: DAYS, seed, treatment: 'sammy', link: 'north', design: 'ab' });
    return Object.fromEntries(
      ['treatment', 'control'].map((arm) => {
        const own = rows.filter((row) => row.arm === arm);
        const means = Object.fromEntries(METRICS.map((metric) => [metric, hourlyMean(own, metric)]));
        return [arm, { ...means, ...countRebuffers(own) }];
      }),
    );
  },
};

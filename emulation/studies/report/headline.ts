import type { SessionSettings } from '../../player/records/session-settings.ts';
import type { MetricName } from '../../player/records/metrics.ts';
import { neighbors } from '../../player/neighbors/index.ts';

/**
 * The metrics of the verdict: the neighbor's results, over the whole session and while a chunk was in flight; the
 * paper's claims; and the viewer's quality of experience, which must not decrease.
 */
const HEADLINE: readonly MetricName[] = [
  ...neighbors.flatMap(({ bars }) => [bars.whole, bars.inFlight]),
  'chunk_throughput_kbps',
  'rtt_median_ms',
  'retransmit_pct',
  'play_delay_ms',
  'rebuffer_ratio',
  'avoidable_rebuffer_ratio',
  'mean_bitrate_kbps',
  'mean_ssim_db',
];

/** The metrics of experiments whose question differs from the paper's main claims. */
const BY_EXPERIMENT: Readonly<Record<string, readonly MetricName[]>> = {
  history: [
    'initial_ssim_db',
    'initial_bitrate_kbps',
    'play_delay_ms',
    'rebuffer_ratio',
    'chunk_throughput_kbps',
  ],
};

export const headlineMetrics = ({ name }: SessionSettings): readonly MetricName[] =>
  BY_EXPERIMENT[name] ?? HEADLINE;

/** The note on values that are measured only while a chunk was in flight. */
export const IN_FLIGHT_NOTE =
  'While a chunk is in flight covers different times in different arms, since a paced chunk takes longer: ' +
  'the figure of the whole session is the one to compare.';

export const isInFlightMetric = (metric: MetricName): boolean =>
  neighbors.some(({ bars }) => bars.inFlight === metric);

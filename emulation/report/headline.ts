import type { Experiment } from '../experiments/experiment.ts';
import type { MetricName } from '../metrics.ts';

/** What the verdict is about: the paper's claims, and that the viewer has not paid for them. */
const HEADLINE: readonly MetricName[] = [
  'chunk_throughput_kbps',
  'rtt_median_ms',
  'retransmit_pct',
  'udp_owd_ms',
  'udp_owd_inflight_ms',
  'tcp_throughput_mbps',
  'tcp_throughput_inflight_mbps',
  'http_response_ms',
  'http_response_inflight_ms',
  'neighbour_play_delay_ms',
  'neighbour_play_delay_inflight_ms',
  'play_delay_ms',
  'rebuffer_ratio',
  'mean_bitrate_kbps',
  'mean_ssim_db',
];

/** Where something else is the question. */
const BY_EXPERIMENT: Readonly<Record<string, readonly MetricName[]>> = {
  history: [
    'initial_ssim_db',
    'initial_bitrate_kbps',
    'play_delay_ms',
    'rebuffer_ratio',
    'chunk_throughput_kbps',
  ],
};

export const headlineOf = ({ name }: Experiment): readonly MetricName[] => BY_EXPERIMENT[name] ?? HEADLINE;

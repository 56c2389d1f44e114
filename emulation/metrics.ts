/** A figure of one session, under the name it has everywhere. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  /** For people. */
  readonly label: string;
  readonly better: 'lower' | 'higher';
}

const metric = (name: string, unit: string, better: Metric['better'], label: string): Metric => ({
  name,
  unit,
  better,
  label,
});

/** In the order of the report's table. */
export const metrics = [
  metric('chunk_throughput_kbps', 'kbit/s', 'lower', 'chunk throughput'),
  metric('playing_chunk_throughput_kbps', 'kbit/s', 'lower', 'chunk throughput, playing phase'),
  metric('rtt_median_ms', 'ms', 'lower', 'smoothed RTT, median'),
  metric('rtt_p95_ms', 'ms', 'lower', 'smoothed RTT, 95th percentile'),
  metric('rtt_above_base_ms', 'ms', 'lower', 'smoothed RTT, median, above that of the idle link'),
  metric('retransmit_pct', '%', 'lower', 'retransmitted bytes'),
  metric('playing_retransmit_bytes', 'bytes', 'lower', 'retransmitted in the playing phase'),
  metric('queue_delay_mean_ms', 'ms', 'lower', 'queueing delay, mean of packets'),
  metric('queue_delay_p95_ms', 'ms', 'lower', 'queueing delay, 95th percentile'),
  metric('dropped_packets', 'packets', 'lower', 'packets dropped by the queue'),
  metric('play_delay_ms', 'ms', 'lower', 'play delay'),
  metric('rebuffer_count', 'rebuffers', 'lower', 'rebuffers'),
  metric('rebuffer_ratio', '', 'lower', 'rebuffer ratio'),
  metric('mean_bitrate_kbps', 'kbit/s', 'higher', 'bitrate'),
  metric('initial_bitrate_kbps', 'kbit/s', 'higher', 'bitrate, first 20 s'),
  metric('mean_ssim_db', 'dB', 'higher', 'SSIM'),
  metric('initial_ssim_db', 'dB', 'higher', 'SSIM, first 20 s'),
  metric('ssim_variation_db', 'dB', 'lower', 'SSIM variation'),
  metric('switches', 'switches', 'lower', 'switches of rung'),
  metric('least_buffer_s', 's', 'higher', 'least buffer from 20 s on'),
  metric(
    'replacements_abandoned',
    'requests',
    'lower',
    'downloads given up of segments that were buffered already',
  ),
  metric('udp_owd_ms', 'ms', 'lower', 'UDP neighbour, one-way delay, mean'),
  metric('udp_owd_inflight_ms', 'ms', 'lower', 'the same while a chunk is in flight'),
  metric('udp_owd_p95_ms', 'ms', 'lower', 'UDP neighbour, one-way delay, 95th percentile'),
  metric('tcp_throughput_mbps', 'Mbit/s', 'higher', 'TCP neighbour, throughput'),
  metric('tcp_throughput_inflight_mbps', 'Mbit/s', 'higher', 'the same while a chunk is in flight'),
  metric('http_response_ms', 'ms', 'lower', 'HTTP neighbour, response time, mean'),
  metric(
    'http_response_inflight_ms',
    'ms',
    'lower',
    'the same of responses with a chunk in flight for 90% of their time',
  ),
  metric('neighbour_play_delay_ms', 'ms', 'lower', 'video neighbour, play delay, mean'),
  metric('neighbour_play_delay_inflight_ms', 'ms', 'lower', 'the same of starts while a chunk is in flight'),
] as const satisfies readonly Metric[];

export type MetricName = (typeof metrics)[number]['name'];

/** Null where nothing was measured. */
export type Measured = Partial<Record<MetricName, number | null>>;

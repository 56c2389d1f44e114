import type { MetricName } from './metrics.ts';

/**
 * The definition of each metric, in a sentence or two, for reports and for the site's page about metrics. A metric
 * without an explanation is a compile error.
 */
export const EXPLAINED: Readonly<Record<MetricName, string>> = {
  chunk_throughput_kbps:
    'The rate at which video segments arrive, as Sammy (appendix A) counts it: all bytes over all the time in which one was being fetched. Pacing lowers it by design; the rest is available to neighbors.',
  playing_chunk_throughput_kbps: 'The same, for segments requested after playback began.',
  rtt_median_ms:
    "The median of the server's smoothed round-trip times (Linux's srtt, one per ACK) on the video's connections. It includes the queue that the video itself causes.",
  rtt_p95_ms: 'The 95th percentile of the same.',
  rtt_above_base_ms:
    'The median round-trip time minus that of the idle link: the wait in queues. On links that deliver packets one by one, such as the P4 switch, it also contains delayed ACKs, which wait up to the time between two pairs of paced packets.',
  retransmit_pct:
    "The share of bytes that the server retransmitted, of all that it sent on the video's connections.",
  playing_retransmit_bytes: 'Bytes retransmitted after playback began.',
  queue_delay_mean_ms: 'The mean time that packets to the viewers waited at the bottleneck.',
  queue_delay_p95_ms: 'The 95th percentile of the same.',
  dropped_packets: 'Packets to the viewers that found the queue full.',
  play_delay_ms: 'The time from the request to play to the first moving frame.',
  rebuffer_count:
    'The number of times that playback stalled for at least 100 ms after it began, except because of a seek.',
  rebuffer_ratio:
    'The share of time stalled, of the time since playback began. A session that never began counts as 1.',
  avoidable_rebuffer_ratio:
    'The rebuffer ratio minus that of a player which always takes the lowest rung on the same link: stalls that another choice could have avoided. It can be below 0.',
  mean_bitrate_kbps: 'The mean nominal bitrate of the video shown, weighted by the time that it was shown.',
  initial_bitrate_kbps: 'The same, over the first 20 s of the video.',
  mean_ssim_db:
    'Similarity of the video to its source: SSIM in decibels, -10 log10(1 - SSIM), of each segment from its sidecar, weighted by the time that it was shown. A loss of less than 0.1 dB counts as none.',
  initial_ssim_db: 'The same, over the first 20 s of the video.',
  ssim_variation_db: 'The mean change of SSIM from one segment to the next.',
  switches: 'The number of changes of the rung shown.',
  least_buffer_s:
    'The lowest buffer level from 20 s after the start on: how near the session came to a stall.',
  replacements_abandoned:
    'Abandoned downloads of segments that were already buffered at another bitrate (wasted bytes).',
  tcp_throughput_mbps: 'The throughput of a bulk TCP transfer beside the video, over the whole session.',
  tcp_throughput_inflight_mbps: "The same, only while one of the video's segments was in flight.",
  http_response_ms: 'The mean time of repeated HTTP requests of 3 MB beside the video.',
  http_response_inflight_ms: "The same, for requests while one of the video's segments was in flight.",
  udp_owd_ms: 'The mean one-way delay of packets of a UDP flow of 5 Mbit/s, such as a call.',
  udp_owd_inflight_ms: "The same, only while one of the video's segments was in flight.",
  udp_owd_p95_ms: 'The 95th percentile of the same, over the whole session.',
  neighbor_play_delay_ms: 'The mean play delay of other viewers behind the same link.',
  neighbor_play_delay_inflight_ms: "The same, for starts while one of the video's segments was in flight.",
};

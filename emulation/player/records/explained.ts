import type { MetricName } from './metrics.ts';

/**
 * What each metric is, in a sentence or two: from here a report has it, and the site's page of the metrics. A metric that is
 * not explained does not compile.
 */
export const EXPLAINED: Readonly<Record<MetricName, string>> = {
  chunk_throughput_kbps:
    'How fast segments of video came, as Sammy (appendix A) counts it: all bytes over all the time in which one was being fetched. A pace lowers it on purpose; what a neighbor can take is the rest.',
  playing_chunk_throughput_kbps: 'The same, of segments that were asked for after playback had begun.',
  rtt_median_ms:
    "Half of the server's smoothed round-trip times (Linux's srtt, one an acknowledgement) of the film's connections were below this. It holds the queue that the film itself makes.",
  rtt_p95_ms: 'The same, of which 95 in 100 were below.',
  rtt_above_base_ms: 'The median round-trip time without that of the idle link: the wait in queues.',
  retransmit_pct: "Bytes that the server sent again, of all that it sent on the film's connections.",
  playing_retransmit_bytes: 'Bytes sent again after playback had begun.',
  queue_delay_mean_ms:
    'How long packets towards the viewers waited at the bottleneck, in the mean of all packets.',
  queue_delay_p95_ms: 'How long they waited: of 100 packets 95 waited less.',
  dropped_packets: 'Packets towards the viewers that found the queue full.',
  play_delay_ms: 'From the request to play until the first frame moved.',
  rebuffer_count:
    'How often playback stood still for at least 100 ms after it had begun, unless a seek was the cause.',
  rebuffer_ratio:
    'The time that playback stood still, of the time that it stood or played after it had begun. A session that never began counts as 1.',
  avoidable_rebuffer_ratio:
    'The rebuffer ratio less that of a player which always takes the lowest rung on the same link: what another choice could have spared. It can be below 0.',
  mean_bitrate_kbps: 'The nominal bitrate of what was shown, in the mean over the time that it was shown.',
  initial_bitrate_kbps: 'The same, over the first 20 s of the film.',
  mean_ssim_db:
    'How like its source the film looked: SSIM in decibels, -10 log10(1 - SSIM), of each segment from its sidecar, in the mean over the time that it was shown. A loss of less than 0.1 dB counts as none.',
  initial_ssim_db: 'The same, over the first 20 s of the film.',
  ssim_variation_db: 'By how much SSIM changed from one segment to the next, in the mean.',
  switches: 'How often the rung of the video that was shown changed.',
  least_buffer_s:
    'The least that was buffered from 20 s after the start on: how near a stall the session came.',
  replacements_abandoned:
    'Downloads that were given up of segments which another quality had filled already: bytes for nothing.',
  tcp_throughput_mbps: 'What a bulk TCP transfer beside the film got, over the whole session.',
  tcp_throughput_inflight_mbps: "The same, only while one of the film's segments was in flight.",
  http_response_ms: 'How long 3 MB by HTTP took, asked for again and again beside the film, in the mean.',
  http_response_inflight_ms: "The same, of requests while one of the film's segments was in flight.",
  udp_owd_ms:
    'How long packets of a UDP flow of 5 Mbit/s, such as a call, took from end to end, in the mean.',
  udp_owd_inflight_ms: "The same, only while one of the film's segments was in flight.",
  udp_owd_p95_ms: 'The same over the whole session: of 100 packets 95 were faster.',
  neighbour_play_delay_ms:
    'How long another viewer behind the same link waited for the first frame, in the mean of starts.',
  neighbour_play_delay_inflight_ms: "The same, of starts while one of the film's segments was in flight.",
};

import type { MetricName } from '../../player/session/metrics.ts';
import type { FLOW_OPTIONS } from '../../../buffers/flows/flow-options.ts';
import type { AskedSessions } from '../../player/sessions/plan-sessions.ts';
import type { AskedOf } from '../../harness/runs/study.ts';

type Asked = AskedSessions | AskedOf<typeof FLOW_OPTIONS>;

/** One experiment of `run paper`. */
export interface Chapter {
  /** The experiment's name, which is also that of its folder, its table and its marker. */
  readonly name: string;
  /** The options of the whole form, where they differ from the experiment's own. */
  readonly whole?: Asked;
  /** The options of the quick form, which shows that everything works, and large effects; its intervals are wide or null. */
  readonly quick: Asked;
  /** The metrics of its table, as far as they were measured; flows have a table of their own. */
  readonly metrics?: readonly MetricName[];
  /** The title of the figure that the log shows; the first figure when not given. */
  readonly shows?: string;
}

const SESSION: readonly MetricName[] = [
  'chunk_throughput_kbps',
  'rtt_median_ms',
  'rtt_above_base_ms',
  'playing_retransmit_bytes',
  'queue_delay_mean_ms',
  'least_buffer_s',
  'play_delay_ms',
  'mean_bitrate_kbps',
  'mean_ssim_db',
  'rebuffer_ratio',
  'switches',
];
const START: readonly MetricName[] = [
  'play_delay_ms',
  'initial_ssim_db',
  'initial_bitrate_kbps',
  'switches',
  'rebuffer_count',
];
const SHORT: readonly MetricName[] = [
  'chunk_throughput_kbps',
  'rtt_median_ms',
  'least_buffer_s',
  'mean_ssim_db',
  'rebuffer_ratio',
];

const beside = (neighbour: string, ...metrics: readonly MetricName[]): Chapter => ({
  name: `neighbour-${neighbour}`,
  quick: { conditions: ['buffer-240s'], runs: 1, seconds: 30 },
  metrics: [...metrics, 'chunk_throughput_kbps', 'play_delay_ms', 'mean_ssim_db', 'rebuffer_ratio'],
});

/** The chapters, the most important first, so that they exist even if the command is ended early. */
export const chapters: readonly Chapter[] = [
  {
    name: 'single',
    quick: { arms: ['dashjs', 'sammy', 'sammy-smooth'], runs: 2, seconds: 30 },
    metrics: SESSION,
  },
  // The metric of the whole session comes first, since the one in flight covers different times in different arms.
  beside('udp', 'udp_owd_ms', 'udp_owd_inflight_ms'),
  beside('tcp', 'tcp_throughput_mbps', 'tcp_throughput_inflight_mbps'),
  beside('http', 'http_response_ms', 'http_response_inflight_ms'),
  beside('video', 'neighbour_play_delay_ms', 'neighbour_play_delay_inflight_ms'),
  {
    name: 'networks',
    quick: {
      arms: ['dashjs', 'sammy-smooth'],
      conditions: ['4mbps', '22mbps', '120mbps'],
      runs: 1,
      seconds: 20,
    },
    metrics: SHORT,
  },
  { name: 'tradeoff', quick: { runs: 1, seconds: 20 }, metrics: SHORT },
  {
    name: 'burst',
    quick: { runs: 1, seconds: 20 },
    metrics: ['retransmit_pct', 'queue_delay_mean_ms', 'chunk_throughput_kbps', 'mean_ssim_db'],
  },
  {
    name: 'history',
    quick: { conditions: ['4mbps-with-history', '4mbps-without-history'], runs: 3, seconds: 20 },
    metrics: START,
  },
  {
    name: 'starts',
    // Half of the links, without a memory and with a stale one.
    whole: {
      conditions: [0.6, 1, 2, 3, 5, 10].flatMap((mbps) => [`${mbps}mbps`, `${mbps}mbps-stale`]),
    },
    quick: { conditions: ['1mbps', '5mbps', '1mbps-stale', '5mbps-stale'], runs: 1, seconds: 20 },
    metrics: START,
  },
  {
    name: 'traces',
    whole: { runs: 3 },
    quick: {
      arms: ['dashjs', 'sammy-smooth'],
      conditions: ['TMobile-LTE-driving', 'Verizon-LTE-driving', 'ATT-LTE-driving'],
      runs: 1,
      seconds: 40,
    },
    metrics: SHORT,
  },
  {
    name: 'buffer-single',
    whole: { runs: 3 },
    quick: { runs: 1, seconds: 5 },
    shows: 'Utilization against buffer size',
  },
];

export const askedOf = (chapter: Chapter, quick: boolean): Asked =>
  quick ? chapter.quick : (chapter.whole ?? {});

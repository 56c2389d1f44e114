import type { CompletedDecision } from '../../../src/index.ts';
import { MEASUREMENTS, type LabMeasurement } from './session-measurements.ts';
import type { RttSummary } from '../../network/measure/rtt-digest.ts';
import type { LinkTotals } from '../../network/measure/link-log.ts';
import type { Retransmits } from '../../network/measure/retransmits.ts';
import type { MetricDeclaration } from '../../network/measure/metric.ts';
import type { Flight } from '../neighbors/neighbor.ts';
import type { Calibration } from '../../network/links/calibrate.ts';
import type { Played } from './play.ts';

/** The lowest buffer level is taken from this time on, because until then every arm is filling its buffer. */
const STEADY_FROM_S = 20;

/** All records of one session, without the neighbor's results. */
interface Recorded extends Pick<Played, 'summary' | 'buffer' | 'decisions'> {
  readonly link: LinkTotals;
  readonly acks: RttSummary;
  readonly retransmits: Retransmits;
  /** The RTT of the idle link, ms. */
  readonly base_ms: number;
}

/** Computes a metric of a session; null if it has no value. */
type Take = (session: Recorded) => number | null;

const metric = (unit: string, better: MetricDeclaration['better'], label: string, take: Take) => ({
  unit,
  better,
  label,
  take,
});

/** Declares a metric whose value is in the session's summary. session-measurements.ts has its unit and label. */
const summaryMetric = <Name extends LabMeasurement>(
  name: Name,
  take: (summary: Played['summary']) => number | null = (summary) => summary[name],
) => {
  const { unit, better, label } = MEASUREMENTS[name];
  return { [name]: metric(unit, better, label, ({ summary }) => take(summary)) } as Record<
    Name,
    ReturnType<typeof metric>
  >;
};

/**
 * The metrics of every session, in the order of the report's table. To add one, add a line. A metric of the summary
 * with a label that is missing here is a compile error.
 */
export const sessionMetrics = {
  ...summaryMetric('chunk_throughput_kbps'),
  ...summaryMetric('playing_chunk_throughput_kbps'),
  rtt_median_ms: metric('ms', 'lower', 'smoothed RTT, median', ({ acks }) => acks.rtt_median_ms),
  rtt_p95_ms: metric('ms', 'lower', 'smoothed RTT, 95th percentile', ({ acks }) => acks.rtt_p95_ms),
  rtt_above_base_ms: metric(
    'ms',
    'lower',
    'smoothed RTT, median, above that of the idle link',
    ({ acks, base_ms }) =>
      acks.rtt_median_ms === null ? null : inMicroseconds(acks.rtt_median_ms - base_ms),
  ),
  retransmit_pct: metric(
    '%',
    'lower',
    'retransmitted bytes',
    ({ retransmits }) => retransmits.retransmit_pct,
  ),
  playing_retransmit_bytes: metric(
    'bytes',
    'lower',
    'retransmitted in the playing phase',
    ({ retransmits }) => retransmits.playing_retransmit_bytes,
  ),
  queue_delay_mean_ms: metric(
    'ms',
    'lower',
    'queueing delay, mean of packets',
    ({ link }) => link.queue_delay_mean_ms,
  ),
  queue_delay_p95_ms: metric(
    'ms',
    'lower',
    'queueing delay, 95th percentile',
    ({ link }) => link.queue_delay_p95_ms,
  ),
  dropped_packets: metric(
    'packets',
    'lower',
    'packets dropped by the queue',
    ({ link }) => link.dropped_packets,
  ),
  ...summaryMetric('play_delay_ms'),
  ...summaryMetric('rebuffer_count'),
  // A session that never began to play counts as one long stall.
  ...summaryMetric('rebuffer_ratio', ({ play_delay_ms, rebuffer_ratio }) =>
    play_delay_ms === null ? 1 : rebuffer_ratio,
  ),
  ...summaryMetric('mean_bitrate_kbps'),
  ...summaryMetric('initial_bitrate_kbps'),
  ...summaryMetric('mean_ssim_db'),
  ...summaryMetric('initial_ssim_db'),
  ...summaryMetric('ssim_variation_db'),
  ...summaryMetric('switches'),
  least_buffer_s: metric('s', 'higher', 'least buffer from 20 s on', ({ buffer }) => leastBuffer_s(buffer)),
  replacements_abandoned: metric(
    'requests',
    'lower',
    'downloads given up of segments that were buffered already',
    ({ decisions }) => replacementsAbandoned(decisions),
  ),
} satisfies Readonly<Record<LabMeasurement, unknown>> &
  Readonly<Record<string, MetricDeclaration & { readonly take: Take }>>;

/** Computes the session's metrics, without the metrics of its neighbor. */
export function computeMetrics(
  played: Pick<Played, 'summary' | 'buffer' | 'decisions'>,
  link: LinkTotals,
  acks: RttSummary,
  retransmits: Retransmits,
  { rtt_ms: base_ms }: Calibration,
): Record<keyof typeof sessionMetrics, number | null> {
  const session: Recorded = { ...played, link, acks, retransmits, base_ms };
  const taken = Object.entries(sessionMetrics).map(([name, { take }]) => [name, take(session)] as const);
  return Object.fromEntries(taken) as Record<keyof typeof sessionMetrics, number | null>;
}

/** Rounds to microseconds, the kernel's unit of round-trip times, so that the difference of equal times is 0. */
const inMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

function leastBuffer_s(buffer: Played['buffer']): number | null {
  const steady = buffer.filter(([t_s]) => t_s >= STEADY_FROM_S).map(([, buffer_s]) => buffer_s);
  return steady.length === 0 ? null : Math.min(...steady);
}

/** The number of abandoned downloads of segments that were already buffered in another quality. */
export const replacementsAbandoned = (decisions: readonly CompletedDecision[]): number =>
  decisions.filter(
    ({ outcome, media_type, segment_start_s }, index) =>
      outcome === 'abandoned' &&
      decisions
        .slice(0, index)
        .some(
          (earlier) =>
            earlier.outcome === 'completed' &&
            earlier.media_type === media_type &&
            earlier.segment_start_s === segment_start_s,
        ),
  ).length;

/** The times in which chunks of the session's video were in flight. */
export const findFlights = (decisions: readonly CompletedDecision[]): Flight[] =>
  decisions
    .filter(({ media_type, from_cache }) => media_type === 'video' && !from_cache)
    .map(({ at_ms, download_ms }) => ({ from_s: at_ms / 1000, to_s: (at_ms + download_ms) / 1000 }));

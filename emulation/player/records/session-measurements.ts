import type { Direction } from '../../network/measure/metric.ts';
import type { SessionSummary } from '../../../src/session/summary.ts';

/** The measurements that the plug-in itself provides, in the summary that a beacon sends. */
type SummaryMeasurement = Exclude<keyof SessionSummary, 'pacing_honored'>;
/** Measurements that only the network or a server provides: an edge's log, or a simulated network. */
type NetworkMeasurement = 'min_rtt_ms' | 'bytes_sent';

/** A measurement of a session, declared once for all uses. */
interface Measurement {
  readonly unit: string;
  /** The source of the data. */
  readonly from: 'playback' | 'downloads' | 'receipts' | 'network';
  readonly better: Direction;
  /** The name in the lab's reports. Reports omit measurements without a label. */
  readonly label?: string;
  /** The name in verdicts on experiments. Verdicts omit measurements without a title. */
  readonly verdict?: { readonly title: string };
  /** Whether the rows of `lab world` include the measurement. */
  readonly world: boolean;
}

/**
 * All measurements of a session. The reports' labels, the rows of `lab world`, and the file that the analysis reads are
 * derived from this list. To add a field of the summary, add it to SessionSummary and here; if another place needs the
 * field too, a compile error or a test names the file.
 */
export const MEASUREMENTS = {
  // Pacing lowers this metric by design. A treatment that reduces the load on the link in another way, such as a cap on
  // the bitrate, raises the metric.
  chunk_throughput_kbps: {
    ...{ unit: 'kbit/s', from: 'downloads', better: 'neither', label: 'chunk throughput', world: true },
    verdict: { title: 'Chunk throughput' },
  },
  playing_chunk_throughput_kbps: {
    ...{ unit: 'kbit/s', from: 'downloads', better: 'neither', world: false },
    label: 'chunk throughput, playing phase',
  },
  min_rtt_ms: {
    ...{ unit: 'ms', from: 'network', better: 'lower', world: true },
    verdict: { title: 'Minimum round-trip time' },
  },
  rtt_median_ms: {
    ...{ unit: 'ms', from: 'receipts', better: 'lower', world: true },
    verdict: { title: 'Median round-trip time' },
  },
  play_delay_ms: {
    ...{ unit: 'ms', from: 'playback', better: 'lower', label: 'play delay', world: true },
    verdict: { title: 'Start-up delay' },
  },
  mean_bitrate_kbps: {
    ...{ unit: 'kbit/s', from: 'playback', better: 'higher', label: 'bitrate', world: true },
    verdict: { title: 'Video bitrate' },
  },
  initial_bitrate_kbps: {
    ...{ unit: 'kbit/s', from: 'playback', better: 'higher', label: 'bitrate, first 20 s', world: true },
    verdict: { title: 'Initial video bitrate' },
  },
  mean_ssim_db: {
    ...{ unit: 'dB', from: 'playback', better: 'higher', label: 'SSIM', world: false },
    verdict: { title: 'Video quality (SSIM)' },
  },
  initial_ssim_db: {
    ...{ unit: 'dB', from: 'playback', better: 'higher', label: 'SSIM, first 20 s', world: false },
    verdict: { title: 'Initial video quality (SSIM)' },
  },
  ssim_variation_db: {
    ...{ unit: 'dB', from: 'playback', better: 'lower', label: 'SSIM variation', world: false },
    verdict: { title: 'Variation of quality' },
  },
  switches: {
    ...{ unit: 'switches', from: 'playback', better: 'lower', label: 'switches of rung', world: true },
    verdict: { title: 'Quality switches' },
  },
  rebuffer_count: {
    ...{ unit: 'rebuffers', from: 'playback', better: 'lower', label: 'rebuffers', world: true },
    verdict: { title: 'Rebuffers' },
  },
  rebuffer_ratio: {
    ...{ unit: '', from: 'playback', better: 'lower', label: 'rebuffer ratio', world: true },
    verdict: { title: 'Share of time rebuffering' },
  },
  retransmit_pct: {
    ...{ unit: '%', from: 'receipts', better: 'lower', world: true },
    verdict: { title: 'Retransmitted bytes' },
  },
  bytes_sent: {
    ...{ unit: 'bytes', from: 'network', better: 'neither', world: true },
    verdict: { title: 'Bytes sent' },
  },
  played_s: {
    ...{ unit: 's', from: 'playback', better: 'higher', world: true },
    verdict: { title: 'Time played' },
  },
  segments: { unit: 'segments', from: 'downloads', better: 'neither', world: false },
} as const satisfies Readonly<Record<SummaryMeasurement | NetworkMeasurement, Measurement>>;

type Measurements = typeof MEASUREMENTS;
type MeasurementWith<Wanted> = {
  [Name in keyof Measurements]: Measurements[Name] extends Wanted ? Name : never;
}[keyof Measurements];

/** The measurements of the summary that have a label, and are therefore in the lab's reports. */
export type LabMeasurement = MeasurementWith<{ readonly label: string }>;
/** The measurements in the rows of `lab world`. */
export type WorldMeasurement = MeasurementWith<{ readonly world: true }>;

import type { Direction } from '../../network/measure/metric.ts';
import type { SessionSummary } from '../../../src/session/summary.ts';

/** The measurements that the plug-in itself provides, in the summary that a beacon sends. */
type SummaryMeasurement = Exclude<keyof SessionSummary, 'pacing_honored'>;
/** Measurements that only the network or a server provides: an edge's log, or a simulated network. */
type NetworkMeasurement = 'min_rtt_ms' | 'bytes_sent';

/** A measurement of a session, declared once for all uses. */
interface Measurement {
  readonly unit: string;
  readonly better: Direction;
  /** The name in the lab's reports. Reports omit measurements without a label. */
  readonly label?: string;
  /** The name in verdicts on experiments. Verdicts omit measurements without a title. */
  readonly title?: string;
  /** Whether the rows of `lab world` include the measurement. */
  readonly world?: true;
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
    ...{ unit: 'kbit/s', better: 'neither', label: 'chunk throughput', world: true },
    title: 'Chunk throughput',
  },
  playing_chunk_throughput_kbps: {
    unit: 'kbit/s',
    better: 'neither',
    label: 'chunk throughput, playing phase',
  },
  min_rtt_ms: { unit: 'ms', better: 'lower', title: 'Minimum round-trip time', world: true },
  rtt_median_ms: { unit: 'ms', better: 'lower', title: 'Median round-trip time', world: true },
  play_delay_ms: { unit: 'ms', better: 'lower', label: 'play delay', title: 'Start-up delay', world: true },
  mean_bitrate_kbps: {
    ...{ unit: 'kbit/s', better: 'higher', label: 'bitrate', world: true },
    title: 'Video bitrate',
  },
  initial_bitrate_kbps: {
    ...{ unit: 'kbit/s', better: 'higher', label: 'bitrate, first 20 s', world: true },
    title: 'Initial video bitrate',
  },
  mean_ssim_db: { unit: 'dB', better: 'higher', label: 'SSIM', title: 'Video quality (SSIM)' },
  initial_ssim_db: {
    ...{ unit: 'dB', better: 'higher', label: 'SSIM, first 20 s' },
    title: 'Initial video quality (SSIM)',
  },
  ssim_variation_db: { unit: 'dB', better: 'lower', label: 'SSIM variation', title: 'Variation of quality' },
  switches: {
    ...{ unit: 'switches', better: 'lower', label: 'switches of rung', world: true },
    title: 'Quality switches',
  },
  rebuffer_count: { unit: 'rebuffers', better: 'lower', label: 'rebuffers', title: 'Rebuffers', world: true },
  rebuffer_ratio: {
    ...{ unit: '', better: 'lower', label: 'rebuffer ratio', world: true },
    title: 'Share of time rebuffering',
  },
  retransmit_pct: { unit: '%', better: 'lower', title: 'Retransmitted bytes', world: true },
  bytes_sent: { unit: 'bytes', better: 'neither', title: 'Bytes sent', world: true },
  played_s: { unit: 's', better: 'higher', title: 'Time played', world: true },
  segments: { unit: 'segments', better: 'neither' },
} as const satisfies Readonly<Record<SummaryMeasurement | NetworkMeasurement, Measurement>>;

type Measurements = typeof MEASUREMENTS;
type MeasurementWith<Wanted> = {
  [Name in keyof Measurements]: Measurements[Name] extends Wanted ? Name : never;
}[keyof Measurements];

/** The measurements of the summary that have a label, and are therefore in the lab's reports. */
export type LabMeasurement = MeasurementWith<{ readonly label: string }>;
/** The measurements in the rows of `lab world`. */
export type WorldMeasurement = MeasurementWith<{ readonly world: true }>;

import type { Interval } from '../../ground/statistics/bootstrap.ts';
import type { MetricName } from '../../player/records/metrics.ts';
import { neighbors } from '../../player/neighbors/index.ts';
import type { PaperOutcome } from '../../player/neighbors/neighbor.ts';

/** A result of the paper Sammy (SIGCOMM 2023), relative to the paper's own control. */
export interface PaperValue extends PaperOutcome {
  readonly metric: MetricName;
  /** The arm that replicates the paper's treatment. */
  readonly arm: string;
  /** `lab`: a 40 Mbit/s link, as in this lab; `production`: an A/B test with real users. */
  readonly setting: 'lab' | 'production';
  readonly ci95_pct?: Interval;
}

const VMAF = 'VMAF in the paper';

export const paperValues: readonly PaperValue[] = [
  lab('chunk_throughput_kbps', -53, 'Fig. 7'),
  lab('rtt_median_ms', -47, 'Fig. 7'),
  ...neighbors.flatMap(({ bars: { whole, paper } }) =>
    paper ? [{ metric: whole, arm: 'sammy-paper', setting: 'lab', ...paper } as const] : [],
  ),

  production('sammy-paper', 'chunk_throughput_kbps', -61, 'Table 2', [-61.8, -60.2]),
  production('sammy-paper', 'retransmit_pct', -35.5, 'Table 2', [-37.8, -33.4]),
  production('sammy-paper', 'rtt_median_ms', -13.7, 'Table 2', [-16.4, -12.3]),
  { ...production('sammy-paper', 'initial_ssim_db', 0.14, 'Table 2', [0.1, 0.2]), note: VMAF },
  { ...production('sammy-paper', 'mean_ssim_db', 0.04, 'Table 2', [0, 0.1]), note: VMAF },
  production('sammy-paper', 'play_delay_ms', -1.29, 'Table 2', [-2, -0.6]),

  { ...production('initial-only', 'initial_ssim_db', 0.3, 'Table 3', [0.28, 0.35]), note: VMAF },
  production('initial-only', 'play_delay_ms', -0.4, 'Table 3', [-0.7, -0.1]),

  production('naive-4x', 'chunk_throughput_kbps', -53, '§5.5'),
  production('naive-4x', 'play_delay_ms', 6, '§5.5'),
  { ...production('naive-4x', 'mean_ssim_db', -0.2, '§5.5'), note: VMAF },
];

/**
 * Fig. 4: the change of retransmissions relative to no pacing, at a pace of twice the top bitrate (§5.6). The text
 * states only the first and the last value.
 */
export const paperBursts: readonly { readonly burst_packets: number; readonly change_pct: number }[] = [
  { burst_packets: 4, change_pct: -60 },
  { burst_packets: 40, change_pct: -40 },
];

/** Fig. 5: the points of chunk throughput and VMAF that the text states (§5.3, §5.5). */
export const paperTradeoff: readonly {
  readonly throughput_pct: number;
  readonly quality_pct: number;
  readonly label: string;
}[] = [
  { throughput_pct: -61, quality_pct: 0.04, label: 'paper: 3.2 → 2.8' },
  { throughput_pct: -80, quality_pct: -0.07, label: 'paper: lowest' },
];

/**
 * Fig. 3: the change of chunk throughput, by the users' bandwidth before the experiment (§5.1). The text states only
 * the last value.
 */
export const paperBands: readonly {
  readonly above_mbps: number;
  readonly label: string;
  readonly change_pct?: number;
}[] = [
  { above_mbps: 0, label: '<6' },
  { above_mbps: 6, label: '6-15' },
  { above_mbps: 15, label: '15-30' },
  { above_mbps: 30, label: '30-90' },
  { above_mbps: 90, label: '>90', change_pct: -74 },
];

export const paperValue = (
  arm: string,
  metric: MetricName,
  setting: PaperValue['setting'],
): PaperValue | undefined =>
  paperValues.find((value) => value.arm === arm && value.metric === metric && value.setting === setting);

function lab(metric: MetricName, change_pct: number, figure: string): PaperValue {
  return { metric, arm: 'sammy-paper', setting: 'lab', change_pct, reference: `§6, ${figure}` };
}

function production(
  arm: string,
  metric: MetricName,
  change_pct: number,
  reference: string,
  ci95_pct?: Interval,
): PaperValue {
  return { metric, arm, setting: 'production', change_pct, reference, ...(ci95_pct && { ci95_pct }) };
}

import type { Interval } from '../../ground/statistics/bootstrap.ts';
import type { MetricName } from '../../player/records/metrics.ts';
import { neighbors } from '../../player/neighbors/index.ts';
import type { PaperOutcome } from '../../player/neighbors/neighbor.ts';

/** A figure of the paper: Sammy (SIGCOMM 2023), against its own control. */
export interface PaperValue extends PaperOutcome {
  readonly metric: MetricName;
  /** The arm that repeats the paper's treatment. */
  readonly arm: string;
  /** `lab`: one 40 Mbit/s link, as here; `production`: an A/B test with real users. */
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

/** Fig. 4: retransmits against no pacing, at 2 x the top bitrate (§5.6). Only its ends are in the text. */
export const paperBursts: readonly { readonly burst_packets: number; readonly change_pct: number }[] = [
  { burst_packets: 4, change_pct: -60 },
  { burst_packets: 40, change_pct: -40 },
];

/** Fig. 5: chunk throughput against VMAF. The points that the text gives (§5.3, §5.5). */
export const paperTradeoff: readonly {
  readonly throughput_pct: number;
  readonly quality_pct: number;
  readonly label: string;
}[] = [
  { throughput_pct: -61, quality_pct: 0.04, label: 'paper: 3.2 → 2.8' },
  { throughput_pct: -80, quality_pct: -0.07, label: 'paper: lowest' },
];

/** Fig. 3: chunk throughput by the bandwidth users had before (§5.1). Only the last band's value is in the text. */
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

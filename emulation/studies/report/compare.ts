import type { MetricName } from '../../player/records/metrics.ts';
import { cellName, type RunRecord } from '../../player/records/run-record.ts';
import { formatHundredths, formatPct, formatValue } from '../../ground/drawing/format.ts';
import { readSessionManifest, type SessionManifest } from '../../player/records/session-manifest.ts';
import { DEFAULT_EDGE } from '../../network/edges/index.ts';
import { describeLink } from './page/describe-link.ts';
import { readRuns } from '../../player/records/read-runs.ts';
import { metricNamed } from './report-data.ts';
import {
  interval95,
  LEAST_FOR_INTERVAL,
  median,
  medianResampler,
  type Interval,
} from '../../ground/statistics/bootstrap.ts';
import { seededRandom } from '../../ground/statistics/random.ts';

/** The metrics in which the same experiment should agree on two equivalent links. */
const METRICS: readonly MetricName[] = [
  'chunk_throughput_kbps',
  'rtt_median_ms',
  'rtt_above_base_ms',
  'queue_delay_mean_ms',
  'retransmit_pct',
  'play_delay_ms',
  'mean_bitrate_kbps',
  'mean_ssim_db',
  'rebuffer_ratio',
];

/** The runs of one cell, which both folders contain, compared in one metric. */
export interface Compared {
  readonly cell: string;
  readonly metric: MetricName;
  /** The numbers of runs in the first and the second folder. */
  readonly runs: readonly [number, number];
  /** The medians in the first and the second folder. */
  readonly medians: readonly [number, number];
  /** The second median minus the first. */
  readonly difference: number;
  /** The 95% bootstrap interval of the difference; null if a folder has fewer than three runs. */
  readonly ci95: Interval | null;
}

/**
 * Compares the cells that two folders have in common, such as one experiment on two links. Throws an Error if there are
 * none.
 */
export function compareRuns(first: string, second: string, seed = 1): Compared[] {
  const [before, after] = [readRuns(first), readRuns(second)];
  const cellNames = (records: readonly RunRecord[]) =>
    new Set(records.map(({ arm, condition }) => cellName(arm, condition)));
  const [one, other] = [cellNames(before), cellNames(after)];
  const cells = [...one].filter((name) => other.has(name));
  if (cells.length === 0)
    throw new Error(
      `${first} and ${second} have no cell in common: ${[...one].join(', ') || 'none'}; ${[...other].join(', ') || 'none'}`,
    );
  return cells.flatMap((cell) =>
    METRICS.flatMap((metric): Compared[] => {
      const [a, b] = [before, after].map((records) => cellValues(records, cell, metric));
      if (!a || !b || a.length === 0 || b.length === 0) return [];
      const medians = [median(a), median(b)] as const;
      return [
        {
          ...{ cell, metric, medians, runs: [a.length, b.length], difference: medians[1] - medians[0] },
          ci95: differenceInterval(a, b, seed),
        },
      ];
    }),
  );
}

const cellValues = (records: readonly RunRecord[], cell: string, metric: MetricName): number[] =>
  records.flatMap(({ arm, condition, metrics }) =>
    cellName(arm, condition) === cell ? (metrics[metric] ?? []) : [],
  );

function differenceInterval(a: readonly number[], b: readonly number[], seed: number): Interval | null {
  if (Math.min(a.length, b.length) < LEAST_FOR_INTERVAL) return null;
  const random = seededRandom(seed);
  const [one, other] = [medianResampler(a, random), medianResampler(b, random)];
  return interval95(() => other() - one());
}

/**
 * The settings other than the arms in which the two folders differ, one line each. They may also cause some of the
 * differences.
 */
export function differingSettings(first: string, second: string): string[] {
  const [one, other] = [first, second].map((folder) => settingsIn(readSessionManifest(folder)));
  return Object.keys({ ...one, ...other }).flatMap((name) =>
    one?.[name] === other?.[name]
      ? []
      : [`the folders differ in ${name}: ${one?.[name] ?? 'none'}, and ${other?.[name] ?? 'none'}`],
  );
}

const settingsIn = ({ experiment, place }: SessionManifest): Readonly<Record<string, string>> => ({
  study: experiment.name,
  ...(experiment.conditions === undefined && { link: describeLink(experiment.link) }),
  seconds: String(experiment.seconds),
  edge: experiment.edge ?? DEFAULT_EDGE,
  'congestion control': experiment.congestionControl ?? 'reno',
  place: Object.values(place).join(', '),
});

/** Formats a line for each comparison: the medians, the difference with its interval, and the difference in percent. */
export const comparedLines = (compared: readonly Compared[]): string[] =>
  compared.map(({ cell, metric, runs, medians: [a, b], difference, ci95 }) => {
    const { unit } = metricNamed(metric);
    const pct = a > 0 ? `, ${formatPct((100 * difference) / a)}` : '';
    const interval = ci95 ? ` (95%: ${ci95.map(formatHundredths).join(' to ')})` : '';
    return (
      `${cell}, ${metric}: ${formatValue(a)} and ${formatValue(b)}${unit && ` ${unit}`}, ${runs.join(' and ')} runs: ` +
      `${formatHundredths(difference)}${interval}${pct}`
    );
  });

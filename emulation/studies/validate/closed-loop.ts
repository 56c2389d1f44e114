import { findArm } from '../../player/arms/tuned.ts';
import { idleRtt_ms } from '../../network/links/idle-rtt.ts';
import type { MetricName } from '../../player/records/metrics.ts';
import { meanOrNull } from '../../ground/statistics/percentiles.ts';
import { listCells, findControl, filterRuns, type Cell } from '../../player/records/cells.ts';
import type { SessionManifest } from '../../player/records/session-manifest.ts';
import type { Summary } from '../report/summary.ts';
import { isPaired } from '../report/summary.ts';
import type { Measured } from '../../player/records/metrics.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Film } from '../../player/model/player/film.ts';
import { playRecorded } from '../../player/virtual-time/play-recorded.ts';
import type { LabRun } from './lab-run.ts';

/**
 * The largest accepted difference between a simulated mean and a measured mean of the lab: as a share, or in the
 * metric's unit.
 */
export const TOLERATED: Partial<Record<MetricName, { readonly share?: number; readonly most?: number }>> = {
  mean_bitrate_kbps: { share: 0.05 },
  mean_ssim_db: { most: 0.3 },
  rebuffer_ratio: { most: 0.01 },
  chunk_throughput_kbps: { share: 0.1 },
};
/** Further metrics that are compared, without a limit. */
const FURTHER_METRICS = [
  'playing_chunk_throughput_kbps',
  'initial_ssim_db',
  'play_delay_ms',
  'switches',
  'least_buffer_s',
  'rtt_median_ms',
  'queue_delay_mean_ms',
  'retransmit_pct',
  'http_response_ms',
  'udp_owd_ms',
] as const satisfies readonly MetricName[];
export const COMPARED: readonly MetricName[] = [
  ...(Object.keys(TOLERATED) as MetricName[]),
  ...FURTHER_METRICS,
];

export interface ComparedMetric {
  readonly cell: string;
  readonly metric: MetricName;
  readonly lab: number;
  readonly simulated: number;
  /** Whether the difference is within the accepted range; null if there is none. */
  readonly within: boolean | null;
}

/** Whether the simulator and the lab agree on which arm is better, if the lab's interval excludes 0. */
export interface ComparedSign {
  readonly treatment: string;
  readonly control: string;
  readonly metric: string;
  readonly lab_change_pct: number;
  readonly simulated_change_pct: number | null;
  readonly agrees: boolean;
}

/** Simulates a session of the lab from its settings alone. */
export function simulateLabRun(
  { record, link, condition }: LabRun,
  { experiment }: SessionManifest,
  film: Film,
  capacity: Capacity,
): Measured {
  return playRecorded({
    arm: findArm(experiment, record.arm),
    sammy: condition?.sammy,
    film,
    link,
    capacity,
    rtt_ms: idleRtt_ms(link.rtt_ms),
    congestionControl: experiment.congestionControl,
    seconds: record.seconds,
    buffer_s: condition?.buffer_s ?? experiment.buffer_s,
    history: condition?.remembered_kbps === undefined ? undefined : [condition.remembered_kbps],
    seed: record.k,
    calibration: record.calibration,
    neighbor: experiment.neighbor,
  }).metrics;
}

/** Compares the means of each cell's runs between the lab and the simulator. */
export function compareCells(
  { experiment }: SessionManifest,
  runs: readonly LabRun[],
  simulated: ReadonlyMap<LabRun, Measured>,
): ComparedMetric[] {
  return listCells(experiment).flatMap((cell) => {
    const own = filterCellRuns(runs, cell).filter((run) => simulated.has(run));
    return COMPARED.flatMap((metric): ComparedMetric[] => {
      const lab = meanOrNull(own.flatMap(({ record }) => record.metrics[metric] ?? []));
      const both = meanOrNull(own.flatMap((run) => simulated.get(run)?.[metric] ?? []));
      if (lab === null || both === null) return [];
      return [{ cell: cell.name, metric, lab, simulated: both, within: isWithin(metric, lab, both) }];
    });
  });
}

const filterCellRuns = (runs: readonly LabRun[], cell: Cell): LabRun[] => {
  const records = new Set(
    filterRuns(
      runs.map(({ record }) => record),
      cell,
    ),
  );
  return runs.filter(({ record }) => records.has(record));
};

function isWithin(metric: MetricName, lab: number, simulated: number): boolean | null {
  const tolerated = TOLERATED[metric];
  if (!tolerated) return null;
  const { share, most } = tolerated;
  const difference = Math.abs(simulated - lab);
  return share === undefined ? difference <= (most ?? 0) : difference <= share * Math.abs(lab);
}

export function compareSigns(
  { experiment }: SessionManifest,
  { comparisons }: Summary,
  compared: readonly ComparedMetric[],
): ComparedSign[] {
  const controls = new Map(
    listCells(experiment).map((cell) => [cell.name, findControl(experiment, cell)?.name]),
  );
  const of = (cell: string | undefined, metric: string) =>
    compared.find((each) => each.cell === cell && each.metric === metric)?.simulated;
  return comparisons.flatMap((each): ComparedSign[] => {
    if (isPaired(each) || each.change_pct === null || each.ci95_pct === null || !(each.metric in TOLERATED))
      return [];
    const [low, high] = each.ci95_pct;
    if (low <= 0 && high >= 0) return [];
    const control = controls.get(each.treatment) ?? each.control;
    const [treated, untreated] = [of(each.treatment, each.metric), of(control, each.metric)];
    if (treated === undefined || untreated === undefined) return [];
    const change = untreated === 0 ? null : (100 * (treated - untreated)) / untreated;
    return [
      {
        treatment: each.treatment,
        control,
        metric: each.metric,
        lab_change_pct: each.change_pct,
        simulated_change_pct: change,
        agrees: Math.sign(treated - untreated) === Math.sign(each.change_pct),
      },
    ];
  });
}

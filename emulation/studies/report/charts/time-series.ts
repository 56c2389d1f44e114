import * as Plot from '@observablehq/plot';
import type { Condition, SessionSettings } from '../../../player/records/session-settings.ts';
import { median, quantile } from '../../../ground/statistics/bootstrap.ts';
import { findControl } from '../../../player/records/cells.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import type { Markup } from '../../../ground/drawing/html.ts';
import { listConditions, type ReportData } from '../report-data.ts';
import type { SessionSeries } from '../representative.ts';
import type { Point } from '../../../player/records/series.ts';
import { armLook } from './arm-looks.ts';
import { svg } from '../../../ground/drawing/svg.ts';

/** The height of an arm's row, px, which is lower if there are many arms. */
const rowHeight = (arms: number): number => (arms > 3 ? 92 : 150);

/** Sammy Figure 7, next to the buffer level: one row per arm, with the control in gray behind each treatment. */
export function timeSeries(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  return listConditions(experiment).flatMap((condition) => {
    const sessions = data.series.filter(({ cell }) => cell.condition?.name === condition?.name);
    const [first] = sessions;
    if (!first) return [];
    const { rate } = condition?.link ?? experiment.link;
    const rtts_ms = data.records.flatMap((run) =>
      run.condition === condition?.name ? run.calibration.rtt_ms : [],
    );
    const backdrop = controlBehind(data, sessions);
    const row = { experiment, sessions, backdrop };
    return [
      {
        title: `One session over time${titleSuffix(condition)}`,
        caption:
          `Each row shows the arm's session with the median chunk throughput (${sessions
            .map(({ cell, k }) => `${cell.arm}: run ${k}`)
            .join(', ')}), in bins of ${first.bin_s * 1000} ms. ` +
          (backdrop ? `${backdrop.cell.name} is drawn in gray behind it. ` : '') +
          'Dashed: rate of the link, and round-trip time as measured while it was idle. Dotted: playback begins. Spikes far above the rest are cut off.',
        charts: [
          panel({
            ...row,
            label: 'link throughput (Mbit/s)',
            of: ({ throughput_mbps }) => throughput_mbps,
            ...(rate.kind === 'constant' && { reference: rate.mbps }),
          }),
          panel({
            ...row,
            label: 'smoothed RTT (ms)',
            of: (session) => session.rtt_ms,
            reference: median(rtts_ms),
          }),
          panel({ ...row, label: 'buffer level (s)', of: ({ buffer_s }) => buffer_s }),
        ],
        columns: 3,
        folded: (experiment.conditions?.length ?? 1) > 3,
        source:
          "link.csv (bytes that left the downlink's queue), tcp.csv (the kernel's smoothed RTT, all connections), " +
          'buffer.csv (the player), averaged over each bin.',
      },
    ];
  });
}

/** The depth of the switch's queue over time, for links with a switch. */
export function queueDepth(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  return listConditions(experiment).flatMap((condition) => {
    const sessions = data.series.filter(
      ({ cell, depth_packets }) => cell.condition?.name === condition?.name && depth_packets.length > 0,
    );
    const [first] = sessions;
    if (!first) return [];
    const backdrop = controlBehind(data, sessions);
    return [
      {
        title: `Queue of the switch over time${titleSuffix(condition)}`,
        caption: `The deepest that the queue was in each ${first.bin_s * 1000} ms, same sessions as above.`,
        charts: [
          panel({
            experiment,
            sessions,
            backdrop,
            label: 'queue depth (packets)',
            of: ({ depth_packets }) => depth_packets,
            width: 1080,
          }),
        ],
        folded: (experiment.conditions?.length ?? 1) > 3,
        source: 'queue.csv: the queue depths that the switch reported.',
      },
    ];
  });
}

function controlBehind(
  { manifest, series }: ReportData,
  sessions: readonly SessionSeries[],
): SessionSeries | undefined {
  const controls = sessions.map(({ cell }) => findControl(manifest.experiment, cell)?.name);
  return series.find(({ cell }) => controls.includes(cell.name));
}

interface Panel {
  readonly experiment: SessionSettings;
  readonly sessions: readonly SessionSeries[];
  readonly backdrop: SessionSeries | undefined;
  readonly label: string;
  readonly of: (session: SessionSeries) => readonly Point[];
  readonly reference?: number;
  readonly width?: number;
}

function panel({ experiment, sessions, backdrop, label, of, reference, width = 380 }: Panel): Markup {
  const arms = sessions.map(({ cell }) => cell.arm);
  const behind = backdrop ? of(backdrop) : [];
  const top = highestValue([...sessions.flatMap(of), ...behind], reference);
  const line = { x: 't_s', y: 'value', strokeLinejoin: 'round', strokeLinecap: 'round' } as const;
  return svg(`${label} over time, one row per arm`, {
    width,
    height: 70 + arms.length * rowHeight(arms.length),
    marginTop: 44,
    marginBottom: 36,
    marginLeft: 36,
    marginRight: 8,
    x: {
      label: 'time since playback was requested (s)',
      domain: [0, experiment.seconds],
      ticks: 6,
    },
    y: {
      label,
      labelOffset: 36,
      domain: [0, top * 1.04 || 1],
      clamp: true,
      ticks: 4,
      grid: true,
    },
    fy: { axis: null, domain: arms, padding: 0.26 },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
      ...(reference === undefined
        ? []
        : [Plot.ruleY([reference], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '4 3' })]),
      Plot.lineY(behind, { ...line, stroke: 'var(--arm-0)', strokeOpacity: 0.3, strokeWidth: 1 }),
      ...sessions.flatMap((session) => {
        const { arm } = session.cell;
        const fy = () => arm;
        return [
          Plot.lineY(of(session), { ...line, fy, stroke: armLook(experiment, arm).color, strokeWidth: 1.4 }),
          ...(session.play_delay_ms === null
            ? []
            : [
                Plot.ruleX([session.play_delay_ms / 1000], {
                  fy,
                  stroke: 'currentColor',
                  strokeOpacity: 0.6,
                  strokeDasharray: '1 3',
                }),
              ]),
        ];
      }),
      Plot.text(arms, {
        fy: (arm: string) => arm,
        text: (arm: string) => arm,
        fill: (arm: string) => armLook(experiment, arm).color,
        frameAnchor: 'top-left',
        dy: -14,
        fontWeight: 600,
      }),
    ],
    color: { type: 'identity' },
  });
}

/**
 * The upper end of the axis: the highest value, or 1.5 times the 99th percentile if a few spikes would compress all
 * other values.
 */
function highestValue(points: readonly Point[], reference = 0): number {
  const sorted = points
    .map(({ value }) => value)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const highest = Math.max(reference, sorted.at(-1) ?? 0);
  const usual = 1.5 * Math.max(reference, quantile(sorted, 0.99));
  return highest > 1.5 * usual ? usual : highest;
}

const titleSuffix = (condition: Condition | undefined): string => (condition ? `, ${condition.name}` : '');

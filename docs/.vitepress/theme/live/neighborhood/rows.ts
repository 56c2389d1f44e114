import { areaPath, blocksPath, roundUp, makeScale, type Block } from '../chart/paths.ts';
import { NEIGHBORS, SECONDS, type LinkSetup } from './link-setup.ts';
import type { Session } from './play.ts';
import { isMissing, neighborWords, viewerWords } from './sentence.ts';

/** A row of charts with the same scale in all columns, and a number for each. */
export interface Row {
  readonly key: string;
  readonly title: string;
  /** The label at the top of the row's axis. */
  readonly top: string;
  readonly cells: readonly Cell[];
}

export interface Cell {
  readonly path: string;
  /** The stalls, which are drawn separately. */
  readonly marks: string;
  /** The content of the chart in words. */
  readonly value: string;
  readonly change: string;
}

/** Returns the four rows, from the viewer down to the queue. */
export function makeRows(asked: LinkSetup, sessions: readonly Session[]): Row[] {
  const neighbor = NEIGHBORS[asked.neighbor];
  const control = sessions[0]?.metrics ?? {};
  return [
    row('viewer', 'Viewer: bitrate of the video', sessions, {
      kbps: true,
      blocks: ({ series }) => series.watched,
      value: ({ metrics }) => watchedWords(metrics),
      change: ({ metrics }) => viewerWords(control, metrics),
    }),
    row('film', 'Video traffic: download speed of segments', sessions, {
      kbps: true,
      blocks: ({ series }) => series.segments,
      value: ({ metrics }) => mbps(metrics.chunk_throughput_kbps),
      change: ({ metrics }) => percent(control.chunk_throughput_kbps, metrics.chunk_throughput_kbps),
    }),
    row('neighbor', neighbor.row, sessions, {
      blocks: ({ series }) => series.neighbor,
      value: ({ metrics }) => time(metrics[neighbor.metric]),
      change: ({ metrics }) => neighborWords(control, metrics, asked.neighbor),
    }),
    row('queue', 'Queue: waiting time of a packet', sessions, {
      points: ({ series }) => series.queue,
      value: ({ metrics }) => time(metrics.queue_delay_mean_ms),
      change: ({ metrics }) => percent(control.queue_delay_mean_ms, metrics.queue_delay_mean_ms),
    }),
  ];
}

interface Drawn {
  readonly kbps?: boolean;
  readonly blocks?: (session: Session) => readonly Block[];
  readonly points?: (session: Session) => Session['series']['queue'];
  readonly value: (session: Session) => string;
  readonly change: (session: Session) => string;
}

function row(key: string, title: string, sessions: readonly Session[], drawn: Drawn): Row {
  const { blocks = () => [], points = () => [] } = drawn;
  const heights = sessions.flatMap((session) => [
    ...blocks(session).map(({ height }) => height),
    ...points(session).map(([, height]) => height),
  ]);
  const most = roundUp(Math.max(0, ...heights));
  const scale = makeScale(SECONDS, most);
  return {
    ...{ key, title, top: drawn.kbps ? mbps(most) : time(most) },
    cells: sessions.map((session, index) => ({
      path: drawn.points ? areaPath(points(session), scale) : blocksPath(blocks(session), scale),
      marks:
        key === 'viewer'
          ? blocksPath(
              session.series.stalls.map(([from, to]) => ({ from, to, height: most })),
              scale,
            )
          : '',
      value: drawn.value(session),
      change: index === 0 ? '' : drawn.change(session),
    })),
  };
}

/** Formats the viewer's result, such as `3.3 Mbit/s, 23.0 dB, no stall`. */
function watchedWords({
  mean_bitrate_kbps,
  mean_ssim_db,
  rebuffer_count,
  play_delay_ms,
}: Session['metrics']): string {
  if (isMissing(play_delay_ms)) return 'never starts';
  const stalls = rebuffer_count ?? 0;
  return [
    mbps(mean_bitrate_kbps),
    isMissing(mean_ssim_db) ? '' : `${mean_ssim_db.toFixed(1)} dB`,
    stalls === 0 ? 'no stall' : stalls === 1 ? '1 stall' : `${stalls} stalls`,
  ]
    .filter((word) => word !== '')
    .join(', ');
}

const mbps = (value: number | null | undefined): string =>
  isMissing(value) ? '-' : `${significant(value / 1000)} Mbit/s`;

const time = (value: number | null | undefined): string => {
  if (isMissing(value)) return '-';
  return value >= 1000 ? `${significant(value / 1000)} s` : `${significant(value)} ms`;
};

/** Formats a number with at most three digits. */
const significant = (value: number): string => String(Number(value.toPrecision(value < 1 ? 2 : 3)));

function percent(before: number | null | undefined, after: number | null | undefined): string {
  if (isMissing(before) || isMissing(after) || before === 0) return '';
  const change = Math.round((100 * (after - before)) / before);
  return change === 0 ? '±0%' : `${change < 0 ? '−' : '+'}${Math.abs(change)}%`;
}

import type { CompletedDecision } from '../../src/index.ts';
import type { Arm } from '../arms.ts';
import { changeText } from './comparison/change.ts';
import { judge, type Judged } from './comparison/judge.ts';
import type { TurnsSummary } from './comparison/summarize-turns.ts';
import { element } from './elements.ts';

interface Row extends Judged {
  readonly label: string;
  readonly metric: keyof TurnsSummary;
  readonly unit: string;
  /** The factor from the metric's unit to the displayed unit. */
  readonly factor?: number;
  readonly digits?: number;
}

const mbps = { unit: 'Mbit/s', factor: 1e-3 };
const ROWS: readonly Row[] = [
  {
    label: 'Download speed of segments',
    metric: 'playing_chunk_throughput_kbps',
    ...mbps,
    better: 'less',
    noticeable: 100,
  },
  {
    label: 'Round-trip time',
    metric: 'rtt_median_ms',
    unit: 'ms',
    digits: 2,
    better: 'less',
    noticeable: 1,
    isOfLink: true,
  },
  {
    label: 'Retransmitted',
    metric: 'retransmit_pct',
    unit: '%',
    digits: 2,
    better: 'less',
    noticeable: 0.05,
    isOfLink: true,
  },
  {
    label: 'Time until playback starts',
    metric: 'play_delay_ms',
    unit: 'ms',
    digits: 0,
    better: 'less',
    noticeable: 50,
    isOfLink: true,
  },
  {
    label: 'Video bitrate',
    metric: 'mean_bitrate_kbps',
    ...mbps,
    digits: 2,
    better: 'more',
    noticeable: 100,
  },
  {
    label: 'Video quality (SSIM)',
    metric: 'mean_ssim_db',
    unit: 'dB',
    digits: 2,
    better: 'more',
    noticeable: 0.1,
  },
  { label: 'Stalls', metric: 'rebuffer_count', unit: '', digits: 0, better: 'less', noticeable: 1 },
  { label: 'Changes of bitrate', metric: 'switches', unit: '', digits: 0, better: 'less', noticeable: 2 },
  { label: 'Played', metric: 'played_s', unit: 's', digits: 0, better: null, noticeable: 0 },
];

const cell = (text: string, className = ''): HTMLTableCellElement =>
  Object.assign(document.createElement('td'), { textContent: text, className });

function fill(id: string, header: readonly string[], rows: readonly HTMLTableCellElement[][]): void {
  const head = document.createElement('tr');
  head.append(
    ...header.map((text) =>
      Object.assign(document.createElement(text === '' ? 'td' : 'th'), { textContent: text }),
    ),
  );
  element(`#${id}`, HTMLTableElement).replaceChildren(
    head,
    ...rows.map((cells) => {
      const row = document.createElement('tr');
      row.append(...cells);
      return row;
    }),
  );
}

function shown({ metric, factor = 1, digits = 1 }: Row, summary: TurnsSummary | null): string {
  const value = summary?.[metric];
  return value === null || value === undefined ? '-' : (value * factor).toFixed(digits);
}

/**
 * Shows the summaries of both arms side by side. If both arms have a figure and are `comparable`, adds the change.
 * Figures that depend on the link are judged only behind a bottleneck.
 */
export function showSummaries(
  { stock, sammy }: Readonly<Record<Arm, TurnsSummary | null>>,
  { hasBottleneck, comparable }: { hasBottleneck: boolean; comparable: boolean },
): void {
  const rows = ROWS.map((row) => {
    const values = [stock?.[row.metric] ?? null, sammy?.[row.metric] ?? null] as const;
    const isShown = comparable && row.better !== null && (hasBottleneck || !row.isOfLink);
    const change = isShown ? changeText(...values) : null;
    return [
      cell(row.unit === '' ? row.label : `${row.label}, ${row.unit}`),
      cell(shown(row, stock)),
      cell(shown(row, sammy)),
      cell(change ?? '', comparable ? (judge(row, values, hasBottleneck) ?? '') : ''),
    ];
  });
  fill('summary', ['', 'Stock', 'Sammy', 'Change'], rows);
}

const LATEST = 8;

/** Shows the latest video segments, the newest first. */
export function showSegments(decisions: readonly CompletedDecision[]): void {
  const rate = (value: number | null | undefined) =>
    value === null ? 'none' : value === undefined ? '-' : (value / 1000).toFixed(1);
  const rows = decisions
    .filter(({ media_type }) => media_type === 'video')
    .slice(-LATEST)
    .reverse()
    .map((decision) => [
      cell(`${decision.segment_start_s.toFixed(0)} s`),
      cell(`${decision.buffer_s.toFixed(0)} s`),
      cell(rate(decision.bitrate_kbps)),
      cell(rate(decision.requested_kbps)),
      cell(rate(decision.applied_kbps)),
      cell(rate(decision.achieved_kbps)),
    ]);
  fill('segments', ['Starts at', 'Buffer', 'Bitrate', 'Pace asked', 'Pace set', 'Measured'], rows);
}

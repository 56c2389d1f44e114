import type { CompletedDecision, SessionSummary } from '../../src/index.ts';

interface Row {
  readonly label: string;
  readonly metric: Exclude<keyof SessionSummary, 'pacing_honored'>;
  readonly unit: string;
  /** The factor from the metric's unit to the shown one. */
  readonly factor?: number;
  readonly digits?: number;
  /** Which direction is better for the viewer or the neighbors. */
  readonly better: 'less' | 'more';
}

const ROWS: readonly Row[] = [
  {
    label: 'Chunk throughput, playing',
    metric: 'playing_chunk_throughput_kbps',
    unit: 'Mbit/s',
    factor: 1e-3,
    better: 'less',
  },
  {
    label: 'Chunk throughput, whole session',
    metric: 'chunk_throughput_kbps',
    unit: 'Mbit/s',
    factor: 1e-3,
    better: 'less',
  },
  { label: 'Round-trip time, median', metric: 'rtt_median_ms', unit: 'ms', digits: 2, better: 'less' },
  { label: 'Retransmitted', metric: 'retransmit_pct', unit: '%', digits: 2, better: 'less' },
  { label: 'Play delay', metric: 'play_delay_ms', unit: 'ms', digits: 0, better: 'less' },
  { label: 'Bitrate', metric: 'mean_bitrate_kbps', unit: 'Mbit/s', factor: 1e-3, digits: 2, better: 'more' },
  {
    label: 'Bitrate, first 20 s',
    metric: 'initial_bitrate_kbps',
    unit: 'Mbit/s',
    factor: 1e-3,
    digits: 2,
    better: 'more',
  },
  { label: 'SSIM', metric: 'mean_ssim_db', unit: 'dB', digits: 2, better: 'more' },
  { label: 'Rebuffers', metric: 'rebuffer_count', unit: '', digits: 0, better: 'less' },
  { label: 'Switches', metric: 'switches', unit: '', digits: 0, better: 'less' },
  { label: 'Played', metric: 'played_s', unit: 's', digits: 0, better: 'more' },
];

/** A change smaller than this is noise, and is not colored. */
const NOTABLE_PCT = 3;

const cell = (text: string, className = ''): HTMLTableCellElement =>
  Object.assign(document.createElement('td'), { textContent: text, className });

function fill(id: string, header: readonly string[], rows: readonly HTMLTableCellElement[][]): void {
  const table = document.getElementById(id);
  if (!table) return;
  const head = document.createElement('tr');
  head.append(...header.map((text) => Object.assign(document.createElement('th'), { textContent: text })));
  table.replaceChildren(
    head,
    ...rows.map((cells) => {
      const row = document.createElement('tr');
      row.append(...cells);
      return row;
    }),
  );
}

/** This session beside the last one without Sammy, with the change where both have a figure. */
export function showSummary(mode: string, now: SessionSummary, without: SessionSummary | undefined): void {
  const shown = (
    { metric, unit, factor = 1, digits = 1 }: Row,
    summary: SessionSummary | undefined,
  ): string => {
    const value = summary?.[metric];
    return value === null || value === undefined ? '-' : `${(value * factor).toFixed(digits)} ${unit}`.trim();
  };
  const rows = ROWS.map((row) => {
    const [a, b] = [now[row.metric], without?.[row.metric]];
    const comparable = a !== null && b !== null && b !== undefined && b !== 0 && row.metric !== 'played_s';
    const change_pct = comparable ? (a / b - 1) * 100 : undefined;
    const notable = change_pct !== undefined && Math.abs(change_pct) >= NOTABLE_PCT;
    const improved = notable && change_pct < 0 === (row.better === 'less');
    const rounded = Math.round(change_pct ?? 0);
    const change = change_pct === undefined ? '' : `${rounded > 0 ? '+' : ''}${rounded} %`;
    const tone = notable ? (improved ? 'better' : 'worse') : '';
    return [cell(row.label), cell(shown(row, now)), cell(shown(row, without)), cell(change, tone)];
  });
  fill('summary', ['', `this session (${mode})`, 'without Sammy', 'change'], rows);
}

const LOGGED = 9;

/** The newest decisions on top, with their reasons. */
export function showDecisions(decisions: readonly CompletedDecision[]): void {
  const rate = (value: number | null | undefined) =>
    value === null ? 'none' : value === undefined ? '?' : (value / 1000).toFixed(1);
  const rows = decisions
    .filter(({ media_type }) => media_type === 'video')
    .slice(-LOGGED)
    .reverse()
    .map((decision) => [
      cell(`${(decision.at_ms / 1000).toFixed(1)} s`),
      cell(decision.phase),
      cell(`${decision.buffer_s.toFixed(1)} s`),
      cell(rate(decision.bitrate_kbps)),
      cell(decision.abr_reason),
      cell(rate(decision.requested_kbps)),
      cell(decision.pace_reason),
      cell(rate(decision.applied_kbps)),
      cell(rate(decision.achieved_kbps)),
    ]);
  fill(
    'log',
    ['at', 'phase', 'buffer', 'bitrate', 'because', 'asked', 'because', 'applied', 'achieved'],
    rows,
  );
}

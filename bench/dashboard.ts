import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as Plot from '@observablehq/plot';
import {
  panels,
  queryOver,
  startObservedEdge,
  startPrometheus,
} from '../edge/deploy/prometheus/observed-edge.ts';
import { ensurePrometheus } from '../edge/deploy/prometheus/program.ts';
import { html } from '../emulation/ground/drawing/html.ts';
import { svg } from '../emulation/ground/drawing/svg.ts';
import { progressPrinter } from '../system/progress.ts';

/**
 * Draws docs/edge/dashboard.svg: the panels of dashboard.json. A real Prometheus that scrapes a real Node edge answers
 * the panels' own queries. The load is real as well: viewers on loopback, a fifth of them in the holdout. Some viewers
 * leave, and the origin fails for a while. The result is not a screenshot of Grafana, because Debian has no Grafana
 * package.
 */
const SECONDS = 180;
const VIEWERS = 20;
const HOLDOUT = '20%';
/** Length of a session; the viewer then starts another. */
const SESSION_S = 20;
const SEGMENT_S = 2;
/** The viewers' paces, in turn. */
const RTP_KBPS = [2500, 4000, 6000, 9000];
/** The period in which the origin fails for one request in ten. */
const OUTAGE_S = [90, 110] as const;
const RATE_INTERVAL = '15s';
const STEP_S = 3;

const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
const closing: (() => unknown)[] = [];
const onClose = (end: () => unknown) => void closing.push(end);
const print = progressPrinter();
let began = performance.now();
const elapsed_s = () => (performance.now() - began) / 1000;

/**
 * Simulates one viewer, who requests a segment every two seconds and leaves every fifth session in the middle of a
 * segment.
 */
async function watch(edge: string, viewer: number): Promise<void> {
  await sleep((viewer * 1000 * SEGMENT_S) / VIEWERS);
  for (let session = 0; elapsed_s() < SECONDS; session++) {
    const cmcd = encodeURIComponent(`rtp=${RTP_KBPS[viewer % RTP_KBPS.length]},sid="${viewer}-${session}"`);
    for (let segment = 0; segment < SESSION_S / SEGMENT_S && elapsed_s() < SECONDS; segment++) {
      const next = performance.now() + 1000 * SEGMENT_S;
      const isOut = elapsed_s() > OUTAGE_S[0] && elapsed_s() < OUTAGE_S[1] && (viewer + segment) % 10 === 0;
      const leaving = new AbortController();
      const response = await fetch(`${edge}/${isOut ? 'broken/' : ''}${segment}.m4s?CMCD=${cmcd}`, leaving);
      if (session % 5 === 4 && segment === 3) {
        await response.body?.getReader().read();
        leaving.abort();
        break;
      }
      await response.arrayBuffer();
      await sleep(Math.max(0, next - performance.now()));
    }
  }
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [time_s: number, value: string])[];
}

interface Point {
  readonly t_s: number;
  readonly value: number;
  readonly name: string;
}

/** Returns the series of each query of a panel, with the names from the panel's legend. */
async function queryPoints(
  prometheus: string,
  panel: (typeof panels)[number],
  end_s: number,
): Promise<Point[]> {
  const start_s = end_s - SECONDS;
  const found = await Promise.all(
    (panel.targets ?? []).map(async ({ expr, legendFormat = '' }) => {
      const query = new URLSearchParams({ query: queryOver(expr, RATE_INTERVAL), step: `${STEP_S}` });
      query.append('start', `${start_s}`);
      query.append('end', `${end_s}`);
      const answer = await fetch(`${prometheus}/api/v1/query_range?${query}`);
      const { data } = (await answer.json()) as { data: { result: Series[] } };
      return data.result.flatMap(({ metric, values }) =>
        values.map(([time_s, text]) => ({
          t_s: time_s - start_s,
          value: Number(text),
          name: legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
        })),
      );
    }),
  );
  return found.flat().filter(({ value }) => Number.isFinite(value));
}

const COLORS = ['#3f76c4', '#c8642b', '#2f8f5b', '#8b5fbf', '#b3912b', '#c2417c', '#4d8b97', '#777777'];
const UNITS: Readonly<Record<string, readonly [label: string, factor: number]>> = {
  reqps: ['per second', 1],
  percentunit: ['%', 100],
  bps: ['Mbit/s', 1e-6],
  s: ['ms', 1000],
  bytes: ['MB', 1e-6],
};
const COLUMN_PX = 50;
const ROW_PX = 26;
const HEAD_PX = 34;
/** Average width of a letter, with which the lines of a legend are laid out. */
const LETTER_PX = 5.6;
/**
 * If the values of a panel differ by more than this factor, the axis is logarithmic: a linear axis would show only the
 * largest values.
 */
const LOG_FROM = 50;

/** Returns the text of a panel, one line per sentence. */
const panelText = ({ options }: (typeof panels)[number]): string =>
  (options?.content ?? '')
    .replaceAll('**', '')
    .split(/(?<=[.:]) /)
    .map((sentence, index) => html`<text x="6" y="${34 + 15 * index}" font-size="11">${sentence}</text>`.text)
    .join('');

function draw(panel: (typeof panels)[number], points: readonly Point[]): string {
  const { x, y, w, h } = panel.gridPos;
  const [left, top, width, height] = [x * COLUMN_PX, y * ROW_PX, w * COLUMN_PX - 10, h * ROW_PX - 8];
  const at = (inside: string) => `<g transform="translate(${left} ${top})">${inside}</g>`;
  const heading = (size: number) =>
    html`<text x="6" y="15" font-size="${size}" font-weight="600">${panel.title}</text>`.text;
  if (panel.type === 'row') return at(heading(14));
  const frame = `<rect width="${width}" height="${height}" fill="none" stroke="#d5d9de" rx="4"/>`;
  if (panel.type !== 'timeseries') return at(frame + heading(12) + panelText(panel));
  const [unit, factor] = UNITS[panel.fieldConfig?.defaults?.unit ?? ''] ?? ['', 1];
  const names = [...new Set(points.map(({ name }) => name))].slice(0, COLORS.length);
  if (names.length === 0)
    return at(
      `${frame}${heading(12)}<text x="6" y="60" font-size="11">no data: no page sends beacons</text>`,
    );
  let legendX = 6;
  const legend = names.map((name, index) => {
    const text = html`<text x="${legendX}" y="29" font-size="10" fill="${COLORS[index]}">${name}</text>`.text;
    legendX += (name.length + 3) * LETTER_PX;
    return text;
  });
  const shown = points.map(({ value, ...others }) => ({ ...others, value: value * factor }));
  const positive = shown.map(({ value }) => value).filter((value) => value > 0);
  const isLog = positive.length === shown.length && Math.max(...positive) > LOG_FROM * Math.min(...positive);
  const chart = svg(panel.title, {
    ...{ width, height: height - HEAD_PX, marginLeft: 44, marginRight: 10, marginTop: 16, marginBottom: 24 },
    x: { label: null, domain: [0, SECONDS], ticks: 4, tickFormat: (t_s: number) => `${t_s} s` },
    y: {
      label: unit,
      ticks: 4,
      grid: true,
      ...(isLog ? { type: 'log' } : { domain: [0, Math.max(...positive, 0) || 1] }),
    },
    color: { domain: names, range: COLORS.slice(0, names.length) },
    marks: [Plot.line(shown, { x: 't_s', y: 'value', stroke: 'name', strokeWidth: 1.5 })],
  }).text;
  // Round coordinates to a tenth of a pixel, which is exact enough for a line.
  const short = chart.replace(/ d="[^"]*"/g, (path) => path.replaceAll(/(\.\d)\d+/g, '$1'));
  return at(`${frame}${heading(12)}${legend.join('')}<g transform="translate(0 ${HEAD_PX})">${short}</g>`);
}

try {
  const { prometheus: program } = await ensurePrometheus(print);
  const { url, operator } = await startObservedEdge(folder, HOLDOUT, onClose);
  const prometheus = await startPrometheus(program, operator, folder, onClose);
  began = performance.now();
  const ticking = setInterval(
    () => print({ task: 'Loading the edge', fraction: elapsed_s() / SECONDS }),
    1000,
  );
  await Promise.all(Array.from({ length: VIEWERS }, (_, viewer) => watch(url, viewer)));
  clearInterval(ticking);
  const end_s = Date.now() / 1000;
  const drawn = await Promise.all(
    panels.map(async (panel) => draw(panel, await queryPoints(prometheus, panel, end_s))),
  );
  const height = Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h)) * ROW_PX;
  const file = join(import.meta.dirname, '../docs/edge/dashboard.svg');
  const size = `width="${24 * COLUMN_PX}" height="${height}" viewBox="0 0 ${24 * COLUMN_PX} ${height}"`;
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif" fill="#22272e">` +
      `<rect width="100%" height="100%" fill="#ffffff"/>${drawn.join('')}</svg>\n`,
  );
  print.end();
  console.log(file);
} finally {
  for (const close of closing.toReversed()) await close();
  rmSync(folder, { recursive: true, force: true });
}

import { mkdirSync } from 'node:fs';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { figureSection } from '../../../ground/drawing/figure-section.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';
import { studyPage } from '../../../harness/report/study-page.ts';
import { readManifest, type Manifest } from '../../../harness/runs/manifest.ts';
import { WARM_UP_S } from '../demand.ts';
import { figureNumbers } from '../figures.ts';
import { readHours, type HourResult } from '../run-files.ts';
import { listCells, checkBufferVideoSettings, type BufferVideoSettings } from '../settings.ts';
import { METRICS, type TableMetric } from '../sites.ts';
import { exhibitNumbers, type ArmNumbers } from '../exhibit-numbers.ts';
import { armRows, measuredRows, type Change, type MeasuredRow, type Spread } from '../table.ts';
import { bufferLooks, hourCharts, leastRttChart, queueCharts, queueLooks, serverLooks } from './charts.ts';

const HEADS: Readonly<Record<TableMetric, string>> = {
  rebuffers: 'sessions with rebuffers',
  low_quality: 'low-quality seconds',
  play_delay: 'play delay',
  min_rtt: 'least RTT',
  retransmits: 'retransmitted',
};

interface ArmResults extends ArmNumbers {
  readonly hours: readonly HourResult[];
}

/**
 * Reads the finished hours in `outDir`, and writes `summary.json` and `report.html`, and `tables.md` and
 * `exhibits.json` for the results log.
 */
export function writeBufferVideoReport(outDir: string): void {
  const manifest = readManifest(outDir, checkBufferVideoSettings);
  const { arms } = manifest.experiment;
  const results = arms.map((arm): ArmResults => {
    const hours = listCells(manifest.experiment)
      .filter((cell) => cell.arm === arm)
      .flatMap(({ name }) => readHours(outDir, name));
    return { arm, hours, rows: measuredRows(hours, arm), numbers: figureNumbers(hours) };
  });
  mkdirSync(outDir, { recursive: true });
  replaceFiles(outDir, {
    'summary.json': asJson({
      ...manifest,
      results: results.map(({ arm, rows, numbers }) => ({ arm, rows, numbers })),
    }),
    'report.html': page(manifest, results),
    'tables.md': [...results.map(armSection), ...compareOthers(results).map(armMarkdown)].join('\n'),
    'exhibits.json': asJson(exhibitNumbers(results)),
  });
}

const signed = (value: number, digits = 1): string => `${value > 0 ? '+' : ''}${value.toFixed(digits)}`;

const changeText = ({ change_pct, interval_pct }: Change): string =>
  `${signed(change_pct)}${interval_pct ? ` (${signed(interval_pct[0])} to ${signed(interval_pct[1])})` : ''}`;

const spreadText = (spread: Spread | undefined): string =>
  spread ? `${signed(spread[0])} (${signed(spread[1])} to ${signed(spread[2])})` : 'too few hours';

const formatRowName = ({ site, a_mb, b_mb }: MeasuredRow): string =>
  a_mb === b_mb ? `${site}, A/A ${a_mb}` : `${site}, ${a_mb} for ${b_mb}`;

const paperText = ({ paper_pct }: MeasuredRow, metric: TableMetric): string =>
  paper_pct ? ` [${signed(paper_pct[metric])}]` : '';

const changeCells = (row: MeasuredRow): string[] => [
  formatRowName(row),
  `${row.hours}`,
  ...METRICS.map((metric) => `${changeText(row.changes[metric])}${paperText(row, metric)}`),
];

/** Formats a stack's mean in a readable unit. */
const levelText = (metric: TableMetric, value: number): string =>
  metric === 'play_delay' || metric === 'min_rtt' ? `${value.toFixed(0)} ms` : `${(100 * value).toFixed(1)}%`;

const levelCells = (row: MeasuredRow): string[] => [
  formatRowName(row),
  `${row.sessions[0]}, ${row.sessions[1]}`,
  ...METRICS.map((metric) => {
    const { a, b } = row.changes[metric];
    return `${levelText(metric, a)}, ${levelText(metric, b)}`;
  }),
];

const CHANGE_HEADS = ['site, MB', 'hours', ...METRICS.map((metric) => `${HEADS[metric]} (%)`)];
const LEVEL_HEADS = ['site, MB', 'sessions of A, B', ...METRICS.map((metric) => HEADS[metric])];

const ARM_HEADS = ['site, stack, MB', 'hours, still congested', ...CHANGE_HEADS.slice(2)];

/** Compares each later arm with the first arm. */
const compareOthers = ([first, ...others]: readonly ArmResults[]) =>
  first ? others.map((other) => ({ first, other, rows: armRows(first.hours, other.hours) })) : [];
type ArmComparison = ReturnType<typeof compareOthers>[number];

const formatTitle = ({ first, other }: ArmComparison): string =>
  `${other.arm} instead of ${first.arm}, in hours that are congested with ${first.arm}`;

const armCells = ({ rows }: ArmComparison): string[][] =>
  rows.map(({ site, name, buffer_mb, hours, stillCongested, changes }) => [
    `${site}, ${name}, ${buffer_mb}`,
    `${hours}, ${stillCongested}`,
    ...METRICS.map((metric) => changeText(changes[metric])),
  ]);

const markdownTable = (heads: readonly string[], cells: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...cells].map((each) => `| ${each.join(' | ')} |`).join('\n');

const armMarkdown = (beside: ArmComparison): string =>
  `## ${formatTitle(beside)}\n\n${markdownTable(ARM_HEADS, armCells(beside))}\n`;

function armSection({ arm, rows, numbers }: ArmResults): string {
  const figures = Object.entries(numbers).map(([name, spread]) => [name, spreadText(spread)]);
  return [
    `## ${arm}\n`,
    markdownTable(CHANGE_HEADS, rows.map(changeCells)),
    '',
    markdownTable(LEVEL_HEADS, rows.map(levelCells)),
    '',
    markdownTable(['Figures 5.3 to 5.8', 'ours'], figures),
    '',
  ].join('\n');
}

const SOURCE = 'result.json of each hour.';

function makeFigures({ arm, hours }: ArmResults, { sites }: BufferVideoSettings): Figure[] {
  const rtts = sites.map((site) => ({
    ...{ title: `Least round trips in congested hours, ${site}, ${arm}`, source: SOURCE },
    caption: 'Each line is the distribution over the sessions. Paper: Figures 5.3 and 5.4.',
    ...{ charts: [leastRttChart(hours, site)], legend: bufferLooks(site) },
  }));
  const points = sites.map((site) => ({
    ...{ title: `Retransmissions and rebuffers by hour, ${site}, ${arm}`, source: SOURCE },
    caption: 'Each mark is an hour. Paper: Figures 5.5 and 5.6.',
    ...{ charts: hourCharts(hours, site), columns: 2, legend: bufferLooks(site) },
  }));
  const both = sites.includes('site-1') && sites.includes('site-2');
  const queues = {
    ...{ title: `Queues of one port, ${arm}`, source: SOURCE },
    caption:
      'Each mark is a session. Left: site 2, by queue (Figure 5.7). Right: site 1, by hour and server (Figure 5.8).',
    ...{ charts: both ? queueCharts(hours) : [], columns: 2, legend: [...queueLooks, ...serverLooks] },
  };
  return [...rtts, ...points, ...(both ? [queues] : [])];
}

function page(manifest: Manifest<BufferVideoSettings>, results: readonly ArmResults[]): string {
  const { experiment } = manifest;
  const sections = results.map(({ arm, rows }): Markup => {
    return html`<h2>Table 5.1, ${arm}</h2>
      <p>
        Change from stack B to stack A in hours in which both links were at least 98% busy, with the 99%
        interval of the bootstrap over hours; in brackets the thesis’s.
      </p>
      ${table(CHANGE_HEADS, rows.map(changeCells))}
      <p>The means of A and B.</p>
      ${table(LEVEL_HEADS, rows.map(levelCells))}`;
  });
  const figures = results.flatMap((each) => makeFigures(each, experiment));
  return studyPage(
    manifest,
    {
      lead: 'Half of a site’s viewers come through a router with buffers of one size, half through one with another.',
      facts: [
        [
          'Runs',
          `${experiment.runs} hours of ${experiment.seconds} s after ${WARM_UP_S} s of warm-up, ${experiment.congestion_control}`,
        ],
      ],
    },
    html`${sections}
    ${compareOthers(results).map(
      (beside) =>
        html`<h2>${formatTitle(beside)}</h2>
          ${table(ARM_HEADS, armCells(beside))}`,
    )}
    ${figures.map((figure, index) => figureSection(figure, index + 1))}`,
  );
}

import type { Figure } from '../drawing/figure.ts';
import { document } from '../drawing/document.ts';
import { figureSection } from '../drawing/figure-section.ts';
import { html, type Markup } from '../drawing/html.ts';
import { formatDate } from '../drawing/format.ts';
import { readManifest, type Manifest } from '../runs/manifest.ts';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { CONGESTION_CONTROLS } from './flow-cells.ts';
import { aroundLoss, queueOverTime, utilizationCharts } from './charts.ts';
import type { FlowResult } from './flow-result.ts';
import { readQueue, readResults, readWindow } from './read-flows.ts';
import { checkFlowSettings, type FlowSettings } from './settings.ts';

/** A loss is drawn only if the flow lasts at least this long before and after it, s. */
const MARGIN_S = 0.4;

/** Reads the flows that are in `outDir`, all or some, and writes `summary.json` and `report.html` into it. */
export function writeBufferReport(outDir: string): void {
  const manifest = readManifest(outDir, checkFlowSettings);
  const results = readResults(outDir);
  const summary = { ...manifest, experiment: manifest.experiment.name, flows: results };
  const report = render(manifest, results, flowFiguresOf(outDir, results));
  replaceFiles(outDir, { 'summary.json': asJson(summary), 'report.html': report });
}

export function flowFiguresOf(outDir: string, results: readonly FlowResult[]): Figure[] {
  const first = results.filter(({ k }) => k === 1);
  // For each congestion control, the buffer that is nearest to a BDP, as in the paper's Figures 1 and 2.
  const atBdp = CONGESTION_CONTROLS.flatMap((name) =>
    first
      .filter(({ congestion_control }) => congestion_control === name)
      .toSorted((one, other) => Math.abs(one.buffer_bdp - 1) - Math.abs(other.buffer_bdp - 1))
      .slice(0, 1),
  );
  const losses = atBdp.flatMap((result) => {
    const at_s = result.loss_events_s.find(
      (t_s) => t_s > result.from_s + MARGIN_S && t_s < result.seconds - MARGIN_S,
    );
    if (at_s === undefined) return [];
    return [aroundLoss(result, at_s, readQueue(outDir, result), readWindow(outDir, result))];
  });
  const source =
    "queue.csv: the depths in the switch's postcards; tcp.csv: the kernel's tcp_probe, on the same clock.";
  const figures: Figure[] = [
    {
      title: 'Window and queue around a loss',
      caption:
        "The sender's window as its kernel has it, and the packets that wait in the switch, on one clock; the loss " +
        'is at 0. A flow that lost nothing after its start-up has no picture. Paper: Figure 1.',
      charts: losses,
      columns: 3,
      source,
    },
    {
      title: 'Queue over time',
      caption:
        'Least and most of each bin, as arriving packets found it. Dashed: the size of the buffer, the nearest to 1 BDP. Paper: Figure 2.',
      charts: atBdp.map((result) =>
        queueOverTime(result, readQueue(outDir, result), { width: 1080, height: 190 }),
      ),
      source,
    },
    {
      title: 'Utilization against buffer size',
      caption:
        'Filled: the 1st percentile over windows of eight base round trips, as in the paper (§3.6); hollow: over windows of ' +
        'one base round trip, of which its theory speaks. Line: the theory (§3.5); dashed: the buffer from which on ' +
        'it expects a busy link: 1 BDP for Reno, 3/7 for Cubic, 1/4 for BBR. Diamonds: without the windows in which ' +
        'BBR probed for the minimum RTT, with a window of 4 packets, which the theory leaves out. Paper: Figure 3.',
      charts: utilizationCharts(results),
      columns: 3,
      source: "the departures of all packets, from the switch's postcards, after the start-up.",
    },
    {
      title: 'Queue over time, all buffers',
      caption: 'As Figure 2.',
      charts: first.map((result) =>
        queueOverTime(result, readQueue(outDir, result), { width: 360, height: 160 }),
      ),
      columns: 3,
      folded: true,
      source,
    },
  ];
  return figures.filter(({ charts }) => charts.length > 0);
}

function render(
  manifest: Manifest<FlowSettings>,
  results: readonly FlowResult[],
  figures: readonly Figure[],
): string {
  const { command, commit, kernel, started, ended = null, experiment } = manifest;
  const { name, figure, rate_bit_s, base_rtt_ms, bdp_packets, seconds, runs } = experiment;
  const entry = (term: string, value: string | Markup) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`;
  return document(
    name,
    html`<header>
        <p class="kicker">dashjs-sammy lab · ${figure}</p>
        <h1>${name}</h1>
        <p class="lead">
          One long TCP flow through the P4 switch: how its queue and its link do with ever smaller buffers.
        </p>
        ${ended === null ? html`<p class="caution">Unfinished: every figure below is of ${results.length} flows.</p>` : undefined}
        <dl>
          ${entry('Flows', `${results.length}, ${runs} of each cell asked for, ${seconds} s each`)}
          ${entry(
            'Link',
            `${rate_bit_s / 1e6} Mbit/s of Ethernet frames, base RTT ${base_rtt_ms} ms, BDP ${bdp_packets.toFixed(1)} packets of 1514 bytes`,
          )}
          ${entry('Command', html`<code>${command}</code>`)} ${entry('Commit', html`<code>${commit}</code>`)}
          ${entry('When', formatDate(started))} ${entry('Kernel', kernel)}
        </dl>
      </header>
      ${figures.map((figure, index) => figureSection(figure, index + 1))} ${table(results)}`,
  );
}

const percent = (share: number | null): string => (share === null ? '' : `${(share * 100).toFixed(1)}%`);

function table(results: readonly FlowResult[]): Markup {
  const columns: readonly (readonly [string, (result: FlowResult) => string])[] = [
    ['flow', ({ cell, k }) => `${cell}, ${k}`],
    ['buffer (packets)', ({ buffer_packets }) => String(buffer_packets)],
    ['utilization p1, 8 RTT', ({ utilization_p1 }) => percent(utilization_p1)],
    ['p1, one RTT', ({ utilization_p1_rtt }) => percent(utilization_p1_rtt)],
    ['p1, no RTT probe', ({ utilization_p1_no_probe_rtt }) => percent(utilization_p1_no_probe_rtt)],
    ['theory', ({ theory }) => percent(theory)],
    ['mean', ({ utilization_mean }) => percent(utilization_mean)],
    [
      'queue p1 / p50 / p99',
      ({ queue_p1_packets, queue_p50_packets, queue_p99_packets }) =>
        `${queue_p1_packets ?? ''} / ${queue_p50_packets ?? ''} / ${queue_p99_packets ?? ''}`,
    ],
    ['loss events', ({ loss_events_s }) => String(loss_events_s.length)],
    ['drops', ({ drops_whole_run }) => String(drops_whole_run)],
    ['least sRTT (ms)', ({ least_srtt_ms }) => least_srtt_ms?.toFixed(1) ?? ''],
    ['machine load', ({ machine_load }) => machine_load.toFixed(1)],
    ['departure lateness p99 (µs)', ({ lateness_p99_us }) => lateness_p99_us.toFixed(0)],
  ];
  return html`<section>
    <h2>All flows</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            ${columns.map(([name]) => html`<th>${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${results.map(
            (result) =>
              html`<tr>
                ${columns.map(([, of]) => html`<td>${of(result)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

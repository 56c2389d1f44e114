import type { Figure } from '../../../emulation/ground/drawing/figure.ts';
import { figureSection } from '../../../emulation/ground/drawing/figure-section.ts';
import { html } from '../../../emulation/ground/drawing/html.ts';
import { readManifest } from '../../../emulation/harness/runs/manifest.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { allRunsTable, percent, type RunColumn } from '../all-runs-table.ts';
import { flowsPage } from '../report-frame.ts';
import { CONGESTION_CONTROLS } from './cells.ts';
import { aroundLoss, queueOverTime, utilizationCharts } from './charts.ts';
import type { FlowResult } from './flow-result.ts';
import { readResults } from './run-files.ts';
import { checkFlowSettings } from './settings.ts';

/** Reads the flows that are in `outDir`, all or some, and writes `summary.json` and `report.html` into it. */
export function writeBufferReport(outDir: string): void {
  const manifest = readManifest(outDir, checkFlowSettings);
  const { name, runs, seconds } = manifest.experiment;
  const results = readResults(outDir);
  const summary = { ...manifest, experiment: name, flows: results };
  const frame = {
    lead: 'One long TCP flow through the P4 switch: how its queue and its link do with ever smaller buffers.',
    of: `${results.length} flows`,
    runs: ['Flows', `${results.length}, ${runs} of each cell asked for, ${seconds} s each`],
  } as const;
  const figures = flowFiguresOf(outDir, results).map((figure, index) => figureSection(figure, index + 1));
  const body = html`${figures} ${allRunsTable(results, COLUMNS, 'All flows')}`;
  replaceFiles(outDir, {
    'summary.json': asJson(summary),
    'report.html': flowsPage(manifest, frame, body),
  });
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
  const source =
    "queue.csv: the depths in the switch's postcards; tcp.csv: the kernel's tcp_probe, on the same clock.";
  const figures: Figure[] = [
    {
      title: 'Window and queue around a loss',
      caption:
        "The sender's window as its kernel has it, and the packets that wait in the switch, on one clock; the loss " +
        'is at 0. A flow that lost nothing after its start-up has no picture. Paper: Figure 1.',
      charts: atBdp.flatMap((result) => aroundLoss(outDir, result)),
      columns: 3,
      source,
    },
    {
      title: 'Queue over time',
      caption:
        'Least and most of each bin, as arriving packets found it. Dashed: the size of the buffer, the nearest to 1 BDP. Paper: Figure 2.',
      charts: atBdp.map((result) => queueOverTime(outDir, result, { width: 1080, height: 190 })),
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
      charts: first.map((result) => queueOverTime(outDir, result, { width: 360, height: 160 })),
      columns: 3,
      folded: true,
      source,
    },
  ];
  return figures.filter(({ charts }) => charts.length > 0);
}

const COLUMNS: readonly RunColumn<FlowResult>[] = [
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

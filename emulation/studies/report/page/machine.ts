import {
  BUSY_ATTEMPTS,
  LATE_LIMIT_PCT,
  OTHERS_LIMIT_PCT,
  STEAL_LIMIT_PCT,
} from '../../../network/measure/machine/busy-rule.ts';
import { LATE_MS } from '../../../network/measure/machine/canary.ts';
import type { MachineRecord } from '../../../network/measure/machine/machine-watch.ts';
import type { RunRecord } from '../../../player/records/run-record.ts';
import { listCells, filterRuns } from '../../../player/records/cells.ts';
import type { ReportData } from '../report-data.ts';
import { areSimulated } from '../observations.ts';
import { measureDrift, type Drift, type Observation } from '../../../ground/statistics/drift.ts';
import { formatPct, formatValue, spread } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';

/** The p-value below which the report warns about a drift. */
const SIGNIFICANT = 0.05;

/**
 * Shows whether the machine was the same for all arms at all times: excluded runs, waits for processors, and the drift.
 * Undefined for runs in virtual time.
 */
export function machine(data: ReportData): Markup | undefined {
  if (areSimulated(data.records)) return undefined;
  const { experiment } = data.manifest;
  const [control = ''] = experiment.arms;
  return html`<section>
    <h2>The machine</h2>
    <p class="note">
      A run is excluded, and made again, when programs other than the lab's took more than
      ${OTHERS_LIMIT_PCT}% of the machine during the session, more than ${STEAL_LIMIT_PCT}% of the processor
      time that it wanted was stolen by other machines, or more than ${LATE_LIMIT_PCT}% of wake-ups before the
      session came more than ${LATE_MS} ms late: measures that do not depend on the arm. After
      ${BUSY_ATTEMPTS} attempts, or as many as --busy-attempts allows, the last is kept. Medians over the
      runs, with the least and the most; what the run's own threads waited depends on the arm and excludes
      nothing.
    </p>
    ${table(
      [
        ...['arm', 'excluded for a busy machine', 'kept nevertheless', 'repeated for other reasons'],
        ...['other programs, %', 'stolen, % of demand', 'late wake-ups in the session, %'],
        ...['link waited, ms/s', 'browser waited, ms/s', 'chunk throughput, drift an hour (p)'],
      ],
      experiment.arms.map((arm) => row(data, arm)),
    )}
    <p>${driftSentence(control, armDrift(data, control))}</p>
  </section>`;
}

function row(data: ReportData, arm: string) {
  const { manifest, records } = data;
  const cells = new Set(
    listCells(manifest.experiment).flatMap((cell) => (cell.arm === arm ? cell.name : [])),
  );
  const removed = manifest.removed.filter(({ cell }) => cells.has(cell));
  const busy = removed.filter(({ reason }) => reason.startsWith('busy: ')).length;
  const runs = records.filter((run) => run.arm === arm);
  const figures = (figure: (machine: MachineRecord) => number | null | undefined) =>
    spread(runs.flatMap((run) => (run.machine && figure(run.machine)) ?? []));
  const drift = armDrift(data, arm);
  return [
    arm,
    busy,
    runs.filter(({ too_busy }) => too_busy !== undefined).length,
    removed.length - busy,
    figures(({ session }) => session.others_pct),
    figures(({ session }) => session.steal_of_demand_pct),
    figures(({ session }) => session.canary?.late_pct),
    figures(({ session }) => session.run_queue_delay_ms_per_s.link),
    figures(({ session }) => session.run_queue_delay_ms_per_s.browser),
    drift?.pct_per_h == null ? '–' : `${formatPct(drift.pct_per_h)} (${formatP(drift.p)})`,
  ];
}

/**
 * The drift of an arm, compared only within each condition. Sessions that remember earlier ones are omitted, because
 * they change by design.
 */
function armDrift({ manifest, records }: ReportData, arm: string): Drift | null {
  return measureDrift(
    listCells(manifest.experiment)
      .filter((cell) => cell.arm === arm && cell.condition?.history === undefined)
      .map((cell) => filterRuns(records, cell).flatMap(observed)),
  );
}

function observed({ started, metrics: { chunk_throughput_kbps: value } }: RunRecord): Observation[] {
  const at_ms = Date.parse(started);
  return value == null || Number.isNaN(at_ms) ? [] : [{ at_ms, value }];
}

const formatP = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${formatValue(Number(p.toFixed(3)))}`);

function driftSentence(control: string, drift: Drift | null): string {
  if (drift?.pct_per_h == null || drift.least_p > SIGNIFICANT) {
    return `Too few runs of ${control}, the control, to tell whether it drifted over the experiment.`;
  }
  const { pct_per_h, p, n } = drift;
  const how = `${formatPct(pct_per_h)} an hour (Theil and Sen; ${formatP(p)} of Mann and Kendall, ${n} runs)`;
  return p < SIGNIFICANT
    ? `The chunk throughput of ${control}, the control, drifted over the experiment: ${how}.`
    : `The chunk throughput of ${control}, the control, shows no drift over the experiment: ${how}.`;
}

/** The warnings that a reader needs before the results, at the top of the page. */
export function machineCautions(data: ReportData): Markup {
  const { records, manifest } = data;
  const [control = ''] = manifest.experiment.arms;
  const kept = records.filter(({ too_busy }) => too_busy !== undefined).length;
  const drift = armDrift(data, control);
  return html`${
    kept === 0
      ? undefined
      : html`<p class="caution">
          ${kept} of ${records.length} runs are among the results although the machine was too busy for them
          by the lab's own rule: it was not quiet in any attempt. A busy machine slows the unpaced control
          first, so that a difference may look smaller than it is, and delays longer.
        </p>`
  }${
    drift !== null && drift.p < SIGNIFICANT
      ? html`<p class="caution">
          ${driftSentence(control, drift)} A machine that becomes busier slows the unpaced control alone: the
          changes below are against a control that was not the same all along.
        </p>`
      : undefined
  }`;
}

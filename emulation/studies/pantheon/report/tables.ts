import { formatValue } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';
import { mean as average } from '../../../ground/statistics/bootstrap.ts';
import type { Manifest } from '../../../harness/runs/manifest.ts';
import type { Link } from '../../../network/links/link.ts';
import type { PantheonResult } from '../run-files.ts';
import { runsOf } from './charts.ts';
import { spreadOf } from './ellipse.ts';
import { bestByPower, betterThan } from './power.ts';
import { titleOf, type Scenario } from './scenario.ts';

/** Names what did not run, and why. */
export function faultsSection(
  scenarios: readonly Scenario[],
  { skipped = {} }: Manifest,
): Markup | undefined {
  const faults = scenarios.flatMap((scenario) =>
    scenario.schemes.flatMap(({ scheme, results }) =>
      results.flatMap(({ k, fault }) =>
        fault === null ? [] : [`${scheme} on ${titleOf(scenario)}, run ${k}: ${fault}`],
      ),
    ),
  );
  const lines = [...new Set(Object.values(skipped).map((reason) => `skipped: ${reason}`)), ...faults];
  if (lines.length === 0) return undefined;
  return html`<section>
    <h2>Schemes without a result</h2>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </section>`;
}

export const powerTable = (scenarios: readonly Scenario[]): Markup =>
  html`<h2>Best by power</h2>
    ${table(
      ['path', 'scheme', 'throughput over 95th-percentile delay (Mbit/s per s)'],
      scenarios.map((scenario) => {
        const best = bestByPower(scenario.schemes);
        return [titleOf(scenario), best?.scheme ?? '', best ? formatValue(best.power) : ''];
      }),
    )}`;

export const scenarioTable = (scenario: Scenario): Markup =>
  html`<h2>${titleOf(scenario)}</h2>
    ${table(
      [
        'scheme',
        'runs',
        'throughput (Mbit/s)',
        'of each flow',
        'one-way delay p95 (ms)',
        'better in both',
        'loss (%)',
        'lateness p99 (ms)',
      ],
      scenario.schemes.map((each) => {
        const good = each.results.filter(({ fault }) => fault === null);
        if (good.length === 0) return [each.scheme, '0', '', '', '', '', '', ''];
        const { mean } = spreadOf(runsOf(each));
        const late = good.map(({ lateness_p99_ms }) => lateness_p99_ms ?? 0);
        return [
          each.scheme,
          String(good.length),
          mean.throughput_mbps.toFixed(2),
          good[0]?.statistics.each
            .map((_, flow) => average(good.map((run) => eachOf(run, flow))).toFixed(2))
            .join(', ') ?? '',
          mean.delay_ms.toFixed(1),
          formatValue(betterThan(each, scenario.schemes)?.[0] ?? 0),
          average(good.map(({ statistics }) => statistics.loss_pct)).toFixed(2),
          formatValue(Math.max(...late)),
        ];
      }),
    )}`;

const eachOf = ({ statistics }: PantheonResult, flow: number): number =>
  statistics.each[flow]?.throughput_mbps ?? 0;

/** A path in words. */
export function describe({ rate, rtt_ms, queue_bytes, loss = 0, policer, gather_ms }: Link): string {
  const mbps =
    rate.kind === 'constant'
      ? `${rate.mbps} Mbit/s`
      : rate.kind === 'poisson'
        ? `${rate.mbps} Mbit/s with Poisson deliveries`
        : rate.kind === 'schedule'
          ? rate.steps.map((step) => `${step.mbps} Mbit/s for ${step.seconds} s`).join(', ')
          : rate.downlink;
  const policed = policer ? `, a policer of ${policer.mbps} Mbit/s and ${policer.burst_bytes / 1000} kB` : '';
  const gathered = gather_ms === undefined ? '' : `, ACKs together every ${gather_ms} ms`;
  return `${mbps}, RTT ${rtt_ms} ms, a queue of ${queue_bytes / 1000} kB, loss ${100 * loss}% each way${policed}${gathered}`;
}

import { formatValue } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';
import type { Manifest } from '../../../harness/runs/manifest.ts';
import { bestByPower, countBetter } from './power.ts';
import { computeMeans, formatTitle, type Scenario } from './summary.ts';

/** Lists the schemes that did not run, and why. */
export function faultsSection(
  scenarios: readonly Scenario[],
  { skipped = {} }: Manifest,
): Markup | undefined {
  const faults = scenarios.flatMap((scenario) =>
    scenario.schemes.flatMap(({ scheme, results }) =>
      results.flatMap(({ k, fault }) =>
        fault === null ? [] : [`${scheme} on ${formatTitle(scenario)}, run ${k}: ${fault}`],
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
        return [formatTitle(scenario), best?.scheme ?? '', best ? formatValue(best.power) : ''];
      }),
    )}`;

export const scenarioTable = (scenario: Scenario): Markup =>
  html`<h2>${formatTitle(scenario)}</h2>
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
        const { runs, throughput_mbps, delay_p95_ms, loss_pct, each_mbps } = computeMeans(
          each,
          scenario.flows,
        );
        if (runs === 0) return [each.scheme, '0', '', '', '', '', '', ''];
        const late = each.results.flatMap((result) =>
          result.fault === null ? [result.lateness_p99_ms ?? 0] : [],
        );
        return [
          ...[each.scheme, String(runs), throughput_mbps?.toFixed(2)],
          each_mbps.map((mbps) => mbps?.toFixed(2)).join(', '),
          ...[delay_p95_ms?.toFixed(1), formatValue(countBetter(each, scenario.schemes)?.[0] ?? 0)],
          ...[loss_pct?.toFixed(2), formatValue(Math.max(...late))],
        ];
      }),
    )}`;

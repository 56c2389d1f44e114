import { isVirtualControl } from '../../../../buffers/packets/controls/control-named.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';
import { meanOrNull } from '../../../ground/statistics/percentiles.ts';
import type { Manifest } from '../../../harness/runs/manifest.ts';
import { computeStatistics } from '../flow-statistics.ts';
import { modelScheme } from '../model.ts';
import { makeSeed, type PantheonSettings } from '../settings.ts';
import { computeMeans, formatTitle, type Scenario } from './summary.ts';

/** A measured value, the packet model's value, and the difference relative to the model. */
interface Pair {
  readonly measured: number;
  readonly model: number;
  readonly difference_pct: number;
}

/**
 * The results of a scheme on a path, compared with the same scheme in the packet model on the same path with the same
 * seeds.
 */
export interface ModelComparison {
  readonly scenario: string;
  readonly scheme: string;
  readonly throughput_mbps: Pair;
  readonly delay_p95_ms: Pair;
  readonly loss_pct: { readonly measured: number; readonly model: number };
}

/**
 * Simulates the measured runs whose schemes and paths the packet model supports. Empty for runs of the model itself.
 */
export function compareWithModel(
  { experiment, seed, place }: Manifest<PantheonSettings>,
  scenarios: readonly Scenario[],
): ModelComparison[] {
  if (place.backend === 'model') return [];
  const { seconds, from_s } = experiment;
  return scenarios.flatMap((scenario) => {
    const link = experiment.paths[scenario.path];
    if (!link || link.rate.kind === 'trace') return [];
    return scenario.schemes.flatMap((each) => {
      const measured = computeMeans(each, scenario.flows);
      const good = each.results.filter(({ fault }) => fault === null);
      if (!isVirtualControl(each.scheme) || good.length === 0) return [];
      const model = good.map(({ cell, k }) => {
        const { flows, starts_s } = modelScheme({ cell, link, seconds, seed: makeSeed(seed, k) });
        return computeStatistics(flows, { starts_s, from_s, seconds });
      });
      return [
        {
          ...{ scenario: formatTitle(scenario), scheme: each.scheme },
          throughput_mbps: makePair(
            measured.throughput_mbps,
            model.map(({ throughput_mbps }) => throughput_mbps),
          ),
          delay_p95_ms: makePair(
            measured.delay_p95_ms,
            model.flatMap(({ delay_p95_ms }) => delay_p95_ms ?? []),
          ),
          // The pair has no difference, because a change from a loss of zero has no percentage.
          loss_pct: {
            measured: measured.loss_pct ?? NaN,
            model: meanOrNull(model.map(({ loss_pct }) => loss_pct)) ?? NaN,
          },
        },
      ];
    });
  });
}

function makePair(measured: number | null, model: readonly number[]): Pair {
  const [of, by] = [measured ?? NaN, meanOrNull(model) ?? NaN];
  return { measured: of, model: by, difference_pct: 100 * (of / by - 1) };
}

export const modelComparisonTable = (rows: readonly ModelComparison[]): Markup | undefined =>
  rows.length === 0
    ? undefined
    : html`<h2>The packet model beside it</h2>
        ${table(
          [
            'path',
            'scheme',
            'throughput: measured, model (Mbit/s)',
            'difference (%)',
            'one-way delay p95: measured, model (ms)',
            'difference (%)',
            'loss: measured, model (%)',
          ],
          rows.map(({ scenario, scheme, throughput_mbps, delay_p95_ms, loss_pct }) => [
            ...[scenario, scheme],
            `${throughput_mbps.measured.toFixed(2)}, ${throughput_mbps.model.toFixed(2)}`,
            throughput_mbps.difference_pct.toFixed(1),
            `${delay_p95_ms.measured.toFixed(1)}, ${delay_p95_ms.model.toFixed(1)}`,
            delay_p95_ms.difference_pct.toFixed(1),
            `${loss_pct.measured.toFixed(2)}, ${loss_pct.model.toFixed(2)}`,
          ]),
        )}`;

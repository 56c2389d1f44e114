import { isVirtualControl } from '../../../../buffers/packets/controls/control-named.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';
import { meanOrNull } from '../../../ground/statistics/percentiles.ts';
import type { Manifest } from '../../../harness/runs/manifest.ts';
import { statisticsOf } from '../flow-statistics.ts';
import { modelScheme } from '../model.ts';
import { seedOf, type PantheonSettings } from '../settings.ts';
import { meansOf, titleOf, type Scenario } from './summary.ts';

/** A quantity as it was measured and as the packet model has it, and by how much the measured one is larger. */
interface Pair {
  readonly measured: number;
  readonly model: number;
  readonly difference_pct: number;
}

/** A scheme on a path, beside the same scheme in the packet model on the same path with the same seeds. */
export interface BesideModel {
  readonly scenario: string;
  readonly scheme: string;
  readonly throughput_mbps: Pair;
  readonly delay_p95_ms: Pair;
  readonly loss_pct: { readonly measured: number; readonly model: number };
}

/** Plays what was measured in the packet model, as far as the model has the schemes and paths; empty for runs of the model. */
export function besideModel(
  { experiment, seed, place }: Manifest<PantheonSettings>,
  scenarios: readonly Scenario[],
): BesideModel[] {
  if (place?.backend === 'model') return [];
  const { seconds, from_s } = experiment;
  return scenarios.flatMap((scenario) => {
    const link = experiment.paths[scenario.path];
    if (!link || link.rate.kind === 'trace') return [];
    return scenario.schemes.flatMap((each) => {
      const measured = meansOf(each, scenario.flows);
      const good = each.results.filter(({ fault }) => fault === null);
      if (!isVirtualControl(each.scheme) || good.length === 0) return [];
      const model = good.map(({ cell, k }) => {
        const { flows, starts_s } = modelScheme({ cell, link, seconds, seed: seedOf(seed, k) });
        return statisticsOf(flows, { starts_s, from_s, seconds });
      });
      return [
        {
          ...{ scenario: titleOf(scenario), scheme: each.scheme },
          throughput_mbps: pairOf(
            measured.throughput_mbps,
            model.map(({ throughput_mbps }) => throughput_mbps),
          ),
          delay_p95_ms: pairOf(
            measured.delay_p95_ms,
            model.flatMap(({ delay_p95_ms }) => delay_p95_ms ?? []),
          ),
          // Without a difference: of no loss there is no percentage.
          loss_pct: {
            measured: measured.loss_pct ?? NaN,
            model: meanOrNull(model.map(({ loss_pct }) => loss_pct)) ?? NaN,
          },
        },
      ];
    });
  });
}

function pairOf(measured: number | null, model: readonly number[]): Pair {
  const [of, by] = [measured ?? NaN, meanOrNull(model) ?? NaN];
  return { measured: of, model: by, difference_pct: 100 * (of / by - 1) };
}

export const besideModelTable = (rows: readonly BesideModel[]): Markup | undefined =>
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

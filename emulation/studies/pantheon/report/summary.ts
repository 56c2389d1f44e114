import type { Manifest } from '../../../harness/runs/manifest.ts';
import { schemeNamed } from '../../../network/schemes/index.ts';
import { listCells, type PantheonSettings } from '../settings.ts';
import { listRuns, type SchemeRuns } from './charts.ts';
import { bestByPower, countBetter, meanOfRuns, powerChange_pct } from './power.ts';
import { type PantheonResult, readRuns } from '../run-files.ts';
import { meanOrNull } from '../../../ground/statistics/percentiles.ts';

/** A path with a number of flows. */
export interface Scenario {
  readonly path: string;
  readonly flows: number;
  readonly schemes: readonly SchemeRuns[];
}

export function readScenarios(outDir: string, settings: PantheonSettings): Scenario[] {
  const cells = listCells(settings);
  return Object.keys(settings.paths).flatMap((path) =>
    settings.flows.map((flows) => ({
      ...{ path, flows },
      schemes: cells
        .filter((cell) => cell.path === path && cell.flows === flows)
        .map((cell) => ({ scheme: cell.scheme, results: readRuns(outDir, cell) })),
    })),
  );
}

export const formatTitle = ({ path, flows }: Scenario): string =>
  `${path}, ${flows === 1 ? '1 flow' : `${flows} flows`}`;

/** The means of those runs of a scheme that have no fault; null if there are none. */
export function computeMeans(scheme: SchemeRuns, flows: number) {
  const good = scheme.results.filter(({ fault }) => fault === null);
  const meanResult = (of: (result: PantheonResult) => number) => meanOrNull(good.map(of));
  const runs = listRuns(scheme);
  return {
    runs: good.length,
    throughput_mbps: meanOrNull(runs.map(({ throughput_mbps }) => throughput_mbps)),
    delay_p95_ms: meanOrNull(runs.map(({ delay_ms }) => delay_ms)),
    loss_pct: meanResult(({ statistics }) => statistics.loss_pct),
    each_mbps: Array.from({ length: flows }, (_, flow) =>
      meanResult(({ statistics }) => statistics.each[flow]?.throughput_mbps ?? 0),
    ),
  };
}

/** The scheme to which Pantheon's Figures 3.4 and 3.5 compare all others. */
const LEARNED = 'indigo';

/** `summary.json`: for each scheme on each path the means of the runs without a fault. */
export const makeSummary = (
  manifest: Manifest<PantheonSettings>,
  scenarios: readonly Scenario[],
): object => ({
  ...manifest,
  experiment: manifest.experiment.name,
  paths: manifest.experiment.paths,
  from_s: manifest.experiment.from_s,
  best_by_power: scenarios.flatMap((scenario) => {
    const best = bestByPower(scenario.schemes);
    return best === undefined ? [] : [{ path: scenario.path, flows: scenario.flows, ...best }];
  }),
  results: scenarios.flatMap(({ path, flows, schemes }) => {
    const learned = schemes.find(({ scheme }) => scheme === LEARNED);
    return schemes.map((each) => {
      const good = each.results.filter(({ fault }) => fault === null);
      return {
        ...{ path, flows, scheme: each.scheme, family: schemeNamed(each.scheme).family },
        ...computeMeans(each, flows),
        better_in_both: countBetter(each, schemes),
        power_over_indigo_pct: learned ? powerChange_pct(each, learned) : null,
        fairness: flows > 1 ? meanOfRuns(good.map(({ statistics }) => statistics.fairness)) : null,
        faults: each.results.flatMap(({ k, fault }) => (fault === null ? [] : [`run ${k}: ${fault}`])),
        disturbed: each.results.filter(({ disturbed }) => disturbed !== null).length,
      };
    });
  }),
});

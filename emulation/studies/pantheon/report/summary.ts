import type { Manifest } from '../../../harness/runs/manifest.ts';
import { schemeNamed } from '../../../network/schemes/index.ts';
import { cellsOf, type PantheonSettings } from '../settings.ts';
import { runsOf, type SchemeRuns } from './charts.ts';
import { bestByPower, betterThan, meanOfRuns, powerChange_pct } from './power.ts';
import { type PantheonResult, readRuns } from '../run-files.ts';
import { meanOrNull } from '../../../ground/statistics/percentiles.ts';

/** One path with one number of flows. */
export interface Scenario {
  readonly path: string;
  readonly flows: number;
  readonly schemes: readonly SchemeRuns[];
}

/** Reads the runs of each scenario, all or some. */
export function scenariosOf(outDir: string, settings: PantheonSettings): Scenario[] {
  const cells = cellsOf(settings);
  return Object.keys(settings.paths).flatMap((path) =>
    settings.flows.map((flows) => ({
      ...{ path, flows },
      schemes: cells
        .filter((cell) => cell.path === path && cell.flows === flows)
        .map((cell) => ({ scheme: cell.scheme, results: readRuns(outDir, cell) })),
    })),
  );
}

export const titleOf = ({ path, flows }: Scenario): string =>
  `${path}, ${flows === 1 ? '1 flow' : `${flows} flows`}`;

/** The means of a scheme's runs without a fault; null of none. */
export function meansOf(scheme: SchemeRuns, flows: number) {
  const good = scheme.results.filter(({ fault }) => fault === null);
  const meanOf = (of: (result: PantheonResult) => number) => meanOrNull(good.map(of));
  const runs = runsOf(scheme);
  return {
    runs: good.length,
    throughput_mbps: meanOrNull(runs.map(({ throughput_mbps }) => throughput_mbps)),
    delay_p95_ms: meanOrNull(runs.map(({ delay_ms }) => delay_ms)),
    loss_pct: meanOf(({ statistics }) => statistics.loss_pct),
    each_mbps: Array.from({ length: flows }, (_, flow) =>
      meanOf(({ statistics }) => statistics.each[flow]?.throughput_mbps ?? 0),
    ),
  };
}

/** Figures 3.4 and 3.5 compare every scheme with it. */
const LEARNED = 'indigo';

/** `summary.json`: of each scheme on each path the means of the runs without a fault. */
export const summaryOf = (manifest: Manifest<PantheonSettings>, scenarios: readonly Scenario[]): object => ({
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
        ...meansOf(each, flows),
        better_in_both: betterThan(each, schemes),
        power_over_indigo_pct: learned ? powerChange_pct(each, learned) : null,
        fairness: flows > 1 ? meanOfRuns(good.map(({ statistics }) => statistics.fairness)) : null,
        faults: each.results.flatMap(({ k, fault }) => (fault === null ? [] : [`run ${k}: ${fault}`])),
        disturbed: each.results.filter(({ disturbed }) => disturbed !== null).length,
      };
    });
  }),
});

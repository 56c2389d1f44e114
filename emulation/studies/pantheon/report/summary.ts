import { mean as average } from '../../../ground/statistics/bootstrap.ts';
import type { Manifest } from '../../../harness/runs/manifest.ts';
import { schemeNamed } from '../../../network/schemes/index.ts';
import type { PantheonSettings } from '../settings.ts';
import { runsOf } from './charts.ts';
import { spreadOf } from './ellipse.ts';
import { bestByPower, betterThan, meanOfRuns, powerChange_pct } from './power.ts';
import type { Scenario } from './scenario.ts';

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
      const runs = runsOf(each);
      const { mean } = runs.length > 0 ? spreadOf(runs) : { mean: { throughput_mbps: null, delay_ms: null } };
      return {
        ...{ path, flows, scheme: each.scheme, family: schemeNamed(each.scheme).family, runs: good.length },
        throughput_mbps: mean.throughput_mbps,
        delay_p95_ms: mean.delay_ms,
        better_in_both: betterThan(each, schemes),
        power_over_indigo_pct: learned ? powerChange_pct(each, learned) : null,
        fairness: flows > 1 ? meanOfRuns(good.map(({ statistics }) => statistics.fairness)) : null,
        loss_pct: good.length > 0 ? average(good.map(({ statistics }) => statistics.loss_pct)) : null,
        each_mbps: Array.from({ length: flows }, (_, flow) =>
          good.length > 0
            ? average(good.map(({ statistics }) => statistics.each[flow]?.throughput_mbps ?? 0))
            : null,
        ),
        faults: each.results.flatMap(({ k, fault }) => (fault === null ? [] : [`run ${k}: ${fault}`])),
        disturbed: each.results.filter(({ disturbed }) => disturbed !== null).length,
      };
    });
  }),
});

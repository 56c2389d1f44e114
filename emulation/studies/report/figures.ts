import type { SessionSettings } from '../../player/records/session-settings.ts';
import { coreBars, neighborBars } from './charts/bars.ts';
import { burst } from './charts/burst.ts';
import { changes } from './charts/changes.ts';
import { history } from './charts/history.ts';
import { traces } from './charts/traces.ts';
import { networks } from './charts/networks.ts';
import { queueDepth, timeSeries } from './charts/time-series.ts';
import { tradeoff } from './charts/tradeoff.ts';
import type { Figure } from '../../ground/drawing/figure.ts';
import type { ReportData } from './report-data.ts';

type Chart = (data: ReportData) => Figure[];

/**
 * The charts of each experiment by name; the first chart is the most important one. A chart without data draws nothing.
 */
const charts: Readonly<Record<string, readonly Chart[]>> = {
  single: [timeSeries, changes],
  networks: [networks, timeSeries],
  burst: [burst, timeSeries],
  tradeoff: [tradeoff, timeSeries],
  history: [history, timeSeries],
  traces: [changes, traces, timeSeries],
};

/** The charts of all other experiments, including those that users add. */
function usual({ neighbor, conditions }: SessionSettings): readonly Chart[] {
  if (neighbor !== undefined) return [neighborBars, timeSeries, changes];
  if (conditions?.some((condition) => condition.neighbor)) return [neighborBars, coreBars, timeSeries];
  return conditions ? [coreBars, timeSeries] : [changes, timeSeries];
}

export function makeFigures(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  const chosen = charts[experiment.name] ?? usual(experiment);
  return [...chosen, queueDepth].flatMap((chart) => chart(data));
}

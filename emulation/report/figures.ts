import { coreBars, neighbourBars } from './charts/bars.ts';
import { burst } from './charts/burst.ts';
import { changes } from './charts/changes.ts';
import { history } from './charts/history.ts';
import { traces } from './charts/traces.ts';
import { networks } from './charts/networks.ts';
import { queueDepth, timeSeries } from './charts/time-series.ts';
import { tradeoff } from './charts/tradeoff.ts';
import type { Figure } from './figure.ts';
import type { ReportData } from './report-data.ts';

type Chart = (data: ReportData) => Figure[];

/** The picture that an experiment is run for, by its name; a chart without data draws nothing. */
const charts: Readonly<Record<string, readonly Chart[]>> = {
  single: [timeSeries, changes],
  'neighbour-udp': [neighbourBars, timeSeries, changes],
  'neighbour-tcp': [neighbourBars, timeSeries, changes],
  'neighbour-http': [neighbourBars, timeSeries, changes],
  'neighbour-video': [neighbourBars, timeSeries, changes],
  networks: [networks, timeSeries],
  burst: [burst, timeSeries],
  tradeoff: [tradeoff, timeSeries],
  history: [history, timeSeries],
  traces: [changes, traces, timeSeries],
};

/** Of an experiment that somebody added. */
const withoutConditions: readonly Chart[] = [neighbourBars, changes, timeSeries];
const withConditions: readonly Chart[] = [coreBars, timeSeries];

export function figuresOf(data: ReportData): Figure[] {
  const { name, conditions } = data.manifest.experiment;
  const chosen = charts[name] ?? (conditions ? withConditions : withoutConditions);
  return [...chosen, queueDepth].flatMap((chart) => chart(data));
}

import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** Metrics of a process as plain data that processes can send to each other. */
export type Families = readonly MetricObjectWithValues<MetricValue<string>>[];

const createRegistry = (processes: readonly Families[]) =>
  AggregatorRegistry.aggregate(processes.map((families) => [...families]));

/** Prints the sums of the metrics of several processes, in Prometheus's text format 0.0.4. */
export const printFamilies = (processes: readonly Families[]): Promise<string> =>
  createRegistry(processes).metrics();

/** Adds the counters of processes that have ended. Their gauges, such as the number of open connections, are dropped. */
export async function addCounters(processes: readonly Families[]): Promise<Families> {
  const all = await createRegistry(processes).getMetricsAsJSON();
  // At run time, `type` is a string, although prom-client declares an enumeration.
  return all.filter(({ type }) => String(type) !== 'gauge');
}

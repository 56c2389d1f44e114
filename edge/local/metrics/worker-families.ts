import { Counter, Gauge, Registry } from 'prom-client';
import type { Families } from './families.ts';

/** The metrics of the primary process, which distributes connections to workers. */
export async function workerFamilies(workers: {
  readonly running: number;
  readonly replaced: number;
}): Promise<Families> {
  const registers = [new Registry()];
  new Gauge({
    name: 'dashjs_sammy_edge_workers',
    help: 'Processes that take requests.',
    registers,
  }).set(workers.running);
  new Counter({
    name: 'dashjs_sammy_edge_replaced_workers_total',
    help: 'Processes that died and were replaced.',
    registers,
  }).inc(workers.replaced);
  return registers[0]?.getMetricsAsJSON() ?? [];
}

import { UNITS } from './comparison.ts';
import { METRICS } from './estimands.ts';
import type { AllocationRun } from './read-runs.ts';

const COLUMNS = ['session_id', 'experiment', 'unit', 'cluster', 'arm', 'allocation', 'started_at'] as const;
/** The cluster of all rows, because all runs use the same link. */
const CLUSTER = 'switch';

/** Formats one row per application and run, as CSV with the columns that `npm run experiment -- analyze` reads. */
export function unitRows(runs: readonly AllocationRun[]): string {
  const lines = runs.flatMap(({ cell: { comparison, treated }, k, result }) =>
    result.units.map((unit) =>
      [
        `${comparison.name}-${treated}-${k}-${unit.unit}`,
        comparison.name,
        `application-${unit.unit}`,
        CLUSTER,
        unit.arm,
        treated / UNITS,
        result.started_at,
        ...METRICS.map((metric) => Number(unit[metric].toPrecision(8))),
      ].join(','),
    ),
  );
  return `${[[...COLUMNS, ...METRICS].join(','), ...lines].join('\n')}\n`;
}

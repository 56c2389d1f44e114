import { mean } from '../../ground/statistics/bootstrap.ts';
/** The mean performance of a scheme's runs on a path. */
export interface Performance {
  readonly throughput_mbps: number;
  readonly delay_p95_ms: number;
}

export type Performances = Readonly<Record<string, Performance>>;

export interface SchemeError {
  /** The error in % of the path's value. */
  readonly throughput_pct: number;
  readonly delay_pct: number;
}

/** Computes the error of each scheme of the path. */
export const schemeErrors = (path: Performances, emulated: Performances): Record<string, SchemeError> =>
  Object.fromEntries(
    Object.entries(path).map(([scheme, own]) => {
      const other = emulated[scheme];
      if (!other) throw new Error(`the emulator has no run of ${scheme}`);
      const change = (field: keyof Performance): number =>
        (100 * Math.abs(other[field] - own[field])) / own[field];
      return [scheme, { throughput_pct: change('throughput_mbps'), delay_pct: change('delay_p95_ms') }];
    }),
  );

/**
 * The replication error (Pantheon §3.5.2), %: the mean of the relative changes of mean throughput and mean
 * 95th-percentile delay over all schemes of the path.
 */
export function replicationError(path: Performances, emulated: Performances): number {
  const errors = Object.values(schemeErrors(path, emulated)).flatMap(({ throughput_pct, delay_pct }) => [
    throughput_pct,
    delay_pct,
  ]);
  return mean(errors);
}

import { isVirtualControl } from '../../../buffers/packets/controls/control-named.ts';
import { mean } from '../../ground/statistics/bootstrap.ts';
import { readManifest } from '../../harness/runs/manifest.ts';
import { readPackets, readRuns, type PantheonResult } from '../pantheon/run-files.ts';
import { listCells, checkPantheonSettings } from '../pantheon/settings.ts';
import { replicationError, type Performance, type Performances } from './replication-error.ts';

/** The performance of schemes on any path. */
export interface MeasuredPath {
  readonly performances: Performances;
  /** The lowest delay of any packet. */
  readonly least_delay_ms: number;
  /** The error of the second half of the runs relative to the first half; null if there is only one run. */
  readonly repeatability_pct: number | null;
}

export interface MeasuredPaths {
  readonly seconds: number;
  readonly from_s: number;
  readonly paths: Readonly<Record<string, MeasuredPath>>;
}

/**
 * Reads the paths of a folder of `run pantheon`, with the runs of single flows whose schemes are also in the packet
 * model.
 */
export function readMeasuredPaths(folder: string): MeasuredPaths {
  const { experiment } = readManifest(folder, checkPantheonSettings);
  const { seconds, from_s } = experiment;
  const paths = Object.keys(experiment.paths).flatMap((path) => {
    const runs = listCells(experiment)
      .filter((cell) => cell.path === path && cell.flows === 1 && isVirtualControl(cell.scheme))
      .map((cell) => readRuns(folder, cell).filter(({ fault }) => fault === null))
      .filter((results) => results.length > 0);
    return runs.length === 0 ? [] : [[path, measuredPath(folder, runs)] as const];
  });
  if (paths.length === 0)
    throw new Error(
      `${folder} has no run with a single flow whose scheme is in the packet model; run reno, cubic, bbr, vegas or scalable`,
    );
  return { seconds, from_s, paths: Object.fromEntries(paths) };
}

function measuredPath(folder: string, runs: readonly (readonly PantheonResult[])[]): MeasuredPath {
  const least = runs.flatMap((results) =>
    results.map((result) =>
      readPackets(folder, result).reduce((sum, { delay_ms }) => Math.min(sum, delay_ms), Infinity),
    ),
  );
  const halves = [0, 1].map((half) =>
    meanPerformances(runs.map((results) => results.filter(({ k }) => k % 2 === half))),
  );
  const [even = {}, odd = {}] = halves;
  const areBoth = runs.every(([first]) => first && [even, odd].every((each) => each[first.cell.scheme]));
  return {
    performances: meanPerformances(runs),
    least_delay_ms: Math.min(...least),
    repeatability_pct: areBoth ? replicationError(odd, even) : null,
  };
}

const meanPerformances = (runs: readonly (readonly PantheonResult[])[]): Performances =>
  Object.fromEntries(
    runs.flatMap((results) => {
      const [first] = results;
      return first ? [[first.cell.scheme, meanPerformance(results)] as const] : [];
    }),
  );

const meanPerformance = (results: readonly PantheonResult[]): Performance => ({
  throughput_mbps: mean(results.map(({ statistics }) => statistics.throughput_mbps)),
  delay_p95_ms: mean(results.flatMap(({ statistics }) => statistics.delay_p95_ms ?? [])),
});

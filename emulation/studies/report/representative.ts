import type { SessionSettings } from '../../player/records/session-settings.ts';
import type { RunRecord } from '../../player/records/run-record.ts';
import { mean } from '../../ground/statistics/bootstrap.ts';
import { listCells, filterRuns, type Cell } from '../../player/records/cells.ts';
import { runFolder } from '../../player/records/read-runs.ts';
import { chooseBin_s, readSeries, thin, type Point } from '../../player/records/series.ts';

/** One session over time, reduced to the points that a chart can show. */
export interface SessionSeries {
  readonly cell: Cell;
  readonly k: number;
  readonly play_delay_ms: number | null;
  /** Length of the bins of every series. */
  readonly bin_s: number;
  readonly throughput_mbps: readonly Point[];
  readonly rtt_ms: readonly Point[];
  readonly buffer_s: readonly Point[];
  /** The deepest queue of each bin, where there is a switch; empty elsewhere. */
  readonly depth_packets: readonly Point[];
}

/** Points of all series of a report together, which keeps it below 2 MB. */
const POINTS = 60_000;
const POINTS_OF_A_SERIES = 600;

/** One session per cell that has any. */
export function readRepresentatives(
  outDir: string,
  experiment: SessionSettings,
  records: readonly RunRecord[],
): SessionSeries[] {
  const chosen = listCells(experiment).flatMap((cell) => {
    const run = representative(filterRuns(records, cell));
    return run ? [{ cell, run }] : [];
  });
  // Each session is in three charts, and the control is in the background of all charts.
  const points = Math.min(POINTS_OF_A_SERIES, POINTS / (chosen.length * 6));
  return chosen.map(({ cell, run }) =>
    readSession(runFolder(outDir, run), cell, run, chooseBin_s(run.seconds, points)),
  );
}

/** The run with the median chunk throughput; of an even number, the lower of the two in the middle. */
export function representative(runs: readonly RunRecord[]): RunRecord | undefined {
  const throughput = (run: RunRecord) => run.metrics.chunk_throughput_kbps ?? -1;
  const sorted = [...runs].sort((a, b) => throughput(a) - throughput(b) || a.k - b.k);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

function readSession(folder: string, cell: Cell, run: RunRecord, bin_s: number): SessionSeries {
  const read = (file: string, column: string, from = mean) =>
    thin(
      readSeries(folder, file, column).filter(({ t_s }) => t_s >= 0 && t_s <= run.seconds),
      bin_s,
      from,
    );
  return {
    cell,
    k: run.k,
    play_delay_ms: run.summary.play_delay_ms,
    bin_s,
    throughput_mbps: read('link.csv', 'departed_bytes').map(({ t_s, value }) => ({
      t_s,
      value: (value * 8) / 1e6 / LINK_BIN_S,
    })),
    rtt_ms: read('tcp.csv', 'srtt_ms'),
    buffer_s: read('buffer.csv', 'buffer_s'),
    depth_packets: read('queue.csv', 'depth_packets', (values) => Math.max(...values)),
  };
}

/** A row of link.csv counts the bytes of so long. */
const LINK_BIN_S = 0.1;

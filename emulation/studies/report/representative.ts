import type { SessionSettings } from '../../player/records/session-settings.ts';
import type { RunRecord } from '../../player/records/run-record.ts';
import { mean } from '../../ground/statistics/bootstrap.ts';
import { listCells, filterRuns, type Cell } from '../../player/records/cells.ts';
import { runFolder } from '../../player/records/read-runs.ts';
import { chooseBin_s, readSeries, thin, type Point } from '../../player/records/series.ts';

/** One session over time, with as many points as a chart can show. */
export interface SessionSeries {
  readonly cell: Cell;
  readonly k: number;
  readonly play_delay_ms: number | null;
  /** The length of the bins of all series. */
  readonly bin_s: number;
  readonly throughput_mbps: readonly Point[];
  readonly rtt_ms: readonly Point[];
  readonly buffer_s: readonly Point[];
  /** The longest queue in each bin, on links with a switch; otherwise empty. */
  readonly depth_packets: readonly Point[];
}

/** The maximum number of points of all series in a report, which keeps it below 2 MB. */
const POINTS = 60_000;
const POINTS_OF_A_SERIES = 600;

/** Reads one session of each cell that has any. */
export function readRepresentatives(
  outDir: string,
  experiment: SessionSettings,
  records: readonly RunRecord[],
): SessionSeries[] {
  const chosen = listCells(experiment).flatMap((cell) => {
    const run = representative(filterRuns(records, cell));
    return run ? [{ cell, run }] : [];
  });
  // Each session is in three charts, and each of its points may be drawn twice, because the control is also in the
  // background of other rows.
  const points = Math.min(POINTS_OF_A_SERIES, POINTS / (chosen.length * 6));
  return chosen.map(({ cell, run }) =>
    readSession(runFolder(outDir, run), cell, run, chooseBin_s(run.seconds, points)),
  );
}

/** The run with the median chunk throughput. Of an even number of runs, the lower one of the middle two. */
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

/** The length of the period that a row of link.csv covers. */
const LINK_BIN_S = 0.1;

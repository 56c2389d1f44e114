import type { Content } from '../../../media/cached-ladder.ts';
import type { Measured } from '../../player/records/metrics.ts';
import { summarize } from '../report/summary.ts';
import { isSimulated } from '../../player/model/neighbors/index.ts';
import { readCapacity } from '../../network/virtual/rounds/read-capacity.ts';
import { simulatedFilm } from '../../player/virtual-time/simulated-film.ts';
import {
  compareCells,
  compareSigns,
  simulateLabRun,
  type ComparedMetric,
  type ComparedSign,
} from './closed-loop.ts';
import type { OnProgress } from '../../../system/progress.ts';
import { readLabRuns, type LabRun } from './lab-run.ts';
import { errorAt, replay, type Replayed } from './open-loop.ts';

/** How well the simulator agrees with the lab's runs of one experiment. */
export interface Validation {
  readonly folder: string;
  readonly experiment: string;
  readonly open: readonly OpenLoop[];
  readonly closed: readonly ComparedMetric[];
  readonly signs: readonly ComparedSign[];
  /** The runs that cannot be simulated, with the reasons. */
  readonly skipped: readonly { readonly run: string; readonly reason: string }[];
}

/** The relative errors of one cell's video downloads, |simulated / lab - 1|. */
export interface OpenLoop {
  readonly cell: string;
  readonly downloads: number;
  readonly median: number;
  readonly p90: number;
  /** The position in the trace at which each session began. */
  readonly offsets_ms: readonly number[];
}

/** Replays the lab's decisions, and simulates the lab's sessions. Throws an Error that names the invalid file. */
export async function validate(
  folder: string,
  content: Pick<Content, 'directory'>,
  onProgress: OnProgress,
): Promise<Validation> {
  const { manifest, runs } = readLabRuns(folder);
  const { experiment } = manifest;
  const film = await simulatedFilm(content, experiment.seconds);
  const skipped: { run: string; reason: string }[] = [];
  const replayed = new Map<string, { downloads: Replayed[]; offsets_ms: number[] }>();
  const simulated = new Map<LabRun, Measured>();
  for (const [index, run] of runs.entries()) {
    onProgress({ task: `Validating by ${runs.length} runs of ${folder}`, fraction: index / runs.length });
    const { record, condition, link } = run;
    const cell = record.condition === undefined ? record.arm : `${record.arm}@${record.condition}`;
    const reason = findObstacle(run, experiment.neighbor);
    if (reason !== undefined) {
      skipped.push({ run: `${cell}/${record.k}`, reason });
      continue;
    }
    const offset_ms = record.trace_at_ms ?? 0;
    const capacity = (await readCapacity(link.rate)).shiftedTo(offset_ms);
    const downloads = replay(run, film, capacity, experiment.congestionControl ?? 'reno');
    const own = replayed.get(cell) ?? { downloads: [], offsets_ms: [] };
    replayed.set(cell, own);
    own.downloads.push(...downloads.filter(({ media_type }) => media_type === 'video'));
    own.offsets_ms.push(offset_ms);
    if (condition?.history === undefined) simulated.set(run, simulateLabRun(run, manifest, film, capacity));
  }
  const closed = compareCells(manifest, runs, simulated);
  const summary = summarize(
    experiment,
    runs.map(({ record }) => record),
    manifest.seed,
  );
  return {
    folder,
    experiment: experiment.name,
    open: [...replayed].map(([cell, { downloads, offsets_ms }]) => ({
      cell,
      downloads: downloads.length,
      median: errorAt(downloads, 0.5),
      p90: errorAt(downloads, 0.9),
      offsets_ms,
    })),
    closed,
    signs: compareSigns(manifest, summary, closed),
    skipped,
  };
}

/** The reason why a run of the lab cannot be simulated; undefined if there is none. */
function findObstacle({ condition, link, record }: LabRun, neighbor: string | undefined): string | undefined {
  if (neighbor !== undefined && !isSimulated(neighbor)) return `a neighbor (${neighbor}) was on the link`;
  if (condition?.burst_packets !== undefined) return 'the kernel sent bursts of a given size';
  if (link.rate.kind === 'trace' && record.trace_at_ms === undefined)
    return 'the emulator did not record where in its trace the session began';
  return undefined;
}

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OnProgress } from '../../../../system/progress.ts';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { linkFolder } from '../../../network/links/stale.ts';
import { ENDED_EARLY } from '../../../harness/runs/study.ts';
import { inLanes } from '../../../harness/runs/in-lanes.ts';
import { inProcess } from '../../../harness/runs/in-process.ts';
import { removeStale } from '../../../harness/runs/remove-stale.ts';
import { ofShard, type Shard } from '../../../harness/runs/shard.ts';
import type { LinkRun } from '../link-run.ts';
import { HOUR_S, playedHours, type DayHours } from './real-time.ts';
import { tcpLinkRun } from './link-spec.ts';
import type { TcpLinkResult } from './run-tcp-link.ts';

export interface TcpRuns {
  readonly runs: readonly LinkRun[];
  readonly hours: DayHours;
  /** So many links at a time, which share the processors. */
  readonly jobs: number;
  /** The folder for the links that are finished; those that it has are not played again. */
  readonly keep: string;
  /** The part that is played here; missing: all. */
  readonly shard?: Shard | undefined;
  readonly signal: AbortSignal;
  readonly print: OnProgress;
}

/** The time that a run may take beyond its hours, s. */
const PATIENCE_S = 180;
const PROGRESS_MS = 1000;

/**
 * Plays links in real time; the results are in the order of the runs, without those of other shards. Throws an Error of one
 * line that names the run.
 */
export async function runTcpLinks(asked: TcpRuns): Promise<TcpLinkResult[]> {
  const { hours, jobs, keep, signal, shard } = asked;
  await removeStale();
  const runs = ownRuns(asked.runs, shard);
  const results = new Map<LinkRun, TcpLinkResult>();
  for (const run of runs) {
    const kept = readKept(keep, run, hours);
    if (kept) results.set(run, kept);
  }
  const missing = runs.filter((run) => !results.has(run));
  let begun = runs.length - missing.length;
  const stopTelling = tellProgress({ ...asked, runs }, missing, () => begun);
  try {
    const ended = await inLanes({
      items: runs,
      isMade: (run) => results.has(run),
      lanes: jobs,
      signal,
      async make(run, stop) {
        begun += 1;
        const result = await playLink(run, hours, stop);
        mkdirSync(keep, { recursive: true });
        replaceFiles(keep, { [keptName(run)]: asJson({ run, hours, result }) });
        results.set(run, result);
      },
      onProgress: () => undefined,
    });
    if (ended === 'cut off') throw new Error(ENDED_EARLY);
    return runs.flatMap((run) => results.get(run) ?? []);
  } finally {
    stopTelling();
  }
}

/** What is compared on a link is of one machine. */
export const ownRuns = (runs: readonly LinkRun[], shard: Shard | undefined): LinkRun[] =>
  ofShard(runs, shard, ({ link }) => link);

/** The time left is known from the start, since the links are played in real time. */
function tellProgress(
  { runs, hours, jobs, print }: TcpRuns,
  missing: readonly LinkRun[],
  begun: () => number,
) {
  const each_s = missing.map(({ days }) => HOUR_S * playedHours(days, hours).length);
  const all_s = Math.max(...each_s, each_s.reduce((sum, seconds) => sum + seconds, 0) / jobs);
  const began_ms = performance.now();
  const telling = setInterval(() => {
    const fraction = Math.min(0.99, (performance.now() - began_ms) / 1000 / all_s);
    print({ task: `World: ${begun()} of ${runs.length} links begun`, fraction });
  }, PROGRESS_MS);
  return () => clearInterval(telling);
}

export const keptName = ({ treatment, design, link }: LinkRun): string =>
  `${treatment}-${design.replaceAll(' ', '-')}-${link}.json`;

interface Kept {
  readonly run: LinkRun;
  readonly hours: DayHours;
  readonly result: TcpLinkResult;
}

/** Undefined if it was not played, or with other settings. */
export function readKept(folder: string, run: LinkRun, hours: DayHours): TcpLinkResult | undefined {
  const file = join(folder, keptName(run));
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  const isSame = asJson({ run: kept.run, hours: kept.hours }) === asJson({ run, hours });
  return isSame ? kept.result : undefined;
}

async function playLink(run: LinkRun, hours: DayHours, signal: AbortSignal): Promise<TcpLinkResult> {
  const folder = mkdtempSync(linkFolder());
  try {
    const spec = { run, hours: playedHours(run.days, hours), hour_s: HOUR_S, folder };
    const within_s = HOUR_S * spec.hours.length + PATIENCE_S;
    const outcome = await inProcess(tcpLinkRun, spec, { within_s, signal });
    if (outcome.kind !== 'finished') throw new Error(`${run.link}, ${run.design}: ${outcome.reason}`);
    return JSON.parse(readFileSync(join(folder, 'link.json'), 'utf8')) as TcpLinkResult;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

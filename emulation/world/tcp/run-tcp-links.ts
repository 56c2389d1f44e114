import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OnProgress } from '../../../system/progress.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { linkFolder } from '../../links/stale.ts';
import { inProcess } from '../../runs/in-process.ts';
import { removeStale } from '../../runs/remove-stale.ts';
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
  readonly signal: AbortSignal;
  readonly print: OnProgress;
}

/** The time that a run may take beyond its hours, s. */
const PATIENCE_S = 180;
const PROGRESS_MS = 1000;

/** Plays links in real time; the results are in the order of the runs. Throws an Error of one line that names the run. */
export async function runTcpLinks(asked: TcpRuns): Promise<TcpLinkResult[]> {
  const { runs, hours, jobs, keep, signal } = asked;
  await removeStale();
  const results = runs.map((run) => readKept(keep, run, hours));
  const waiting = [...runs.entries()].filter(([index]) => results[index] === undefined);
  const missing = waiting.map(([, run]) => run);
  const stopTelling = tellProgress(asked, missing, () => waiting.length);
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, run] = next;
      const result = await playLink(run, hours, ending);
      mkdirSync(keep, { recursive: true });
      replaceFiles(keep, { [keptName(run)]: asJson({ run, hours, result }) });
      results[index] = result;
    }
  };
  try {
    const lanes = Array.from({ length: Math.min(jobs, waiting.length) }, lane);
    for (const each of lanes) each.catch(() => failing.abort());
    const settled = await Promise.allSettled(lanes);
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return results.filter((result) => result !== undefined);
  } finally {
    stopTelling();
  }
}

/** The time left is known from the start, since the links are played in real time. */
function tellProgress(
  { runs, hours, jobs, print }: TcpRuns,
  missing: readonly LinkRun[],
  waiting: () => number,
) {
  const each_s = missing.map(({ days }) => HOUR_S * playedHours(days, hours).length);
  const all_s = Math.max(...each_s, each_s.reduce((sum, seconds) => sum + seconds, 0) / jobs);
  const began_ms = performance.now();
  const telling = setInterval(() => {
    const fraction = Math.min(0.99, (performance.now() - began_ms) / 1000 / all_s);
    print({ task: `World: ${runs.length - waiting()} of ${runs.length} links begun`, fraction });
  }, PROGRESS_MS);
  return () => clearInterval(telling);
}

const keptName = ({ treatment, design, link }: LinkRun): string =>
  `${treatment}-${design.replaceAll(' ', '-')}-${link}.json`;

interface Kept {
  readonly run: LinkRun;
  readonly hours: DayHours;
  readonly result: TcpLinkResult;
}

/** Undefined if it was not played, or with other settings. */
function readKept(folder: string, run: LinkRun, hours: DayHours): TcpLinkResult | undefined {
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

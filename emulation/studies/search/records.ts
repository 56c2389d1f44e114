import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { finishedRuns } from '../../harness/runs/finished-run.ts';
import { readJson } from '../../ground/files/read-json.ts';
import type { TunedArm } from '../../player/arms/tuned.ts';
import { findFront } from './front.ts';
import type { Judged } from './judge.ts';
import type { Trial } from './optimizer.ts';
import type { Objectives } from './outcome.ts';
import type { Point } from './space.ts';

/** The cell of a search's trials. */
export const TRIAL = 'trial';
/** The cell of a search's final confirmation. */
export const CONFIRMED = 'confirmed';

/** The file of a run's result: a `Trial`, or a list of `Confirmed`. */
export const RECORD = 'result.json';

/** The results of a point on both halves of the traces. */
export interface Confirmed {
  readonly arm: TunedArm;
  readonly point: Point;
  readonly training: Objectives;
  readonly heldOut: Objectives;
  /** The comparison with the default on the held-out half. */
  readonly judged: Judged;
}

export interface SearchResult {
  readonly trials: readonly Trial[];
  readonly front: readonly Trial[];
  /** The results of the default and of the chosen points of the front; empty until all trials are finished. */
  readonly confirmed: readonly Confirmed[];
}

const recordPath = (outDir: string, cell: string, k: number): string =>
  join(outDir, 'runs', cell, String(k), RECORD);

/** The finished trials, in the order in which they were made. */
export const readTrials = (outDir: string): Trial[] =>
  finishedRuns<Trial>(outDir, TRIAL, RECORD).map(({ result }) => result);

/** Reads the results of a search with `trialCount` trials. */
export function readSearchResult(outDir: string, trialCount: number): SearchResult {
  const trials = readTrials(outDir);
  const file = recordPath(outDir, CONFIRMED, trialCount);
  const confirmed = existsSync(file) ? readJson(file, (value) => value as Confirmed[]) : [];
  return { trials, front: findFront(trials), confirmed };
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asJson } from '../../../system/replace-files.ts';
import { finishedRuns } from '../../harness/runs/finished-run.ts';
import type { StackResult } from './play-stack.ts';
import type { SiteName, Stack } from './sites.ts';

/** `result.json`: the results of one hour at a site, for each of its stacks. A stack is a router with its servers. */
export interface HourResult {
  readonly site: SiteName;
  readonly arm: string;
  readonly hour: number;
  /** The load as `getLoad` defines it. */
  readonly load: number;
  /** Why the machine was too busy for a live hour; absent if the machine was not. */
  readonly too_busy?: string;
  readonly stacks: readonly (Stack & StackResult)[];
}

export const RESULT = 'result.json';

export const keepHour = (folder: string, result: HourResult): void =>
  writeFileSync(join(folder, RESULT), asJson(result));

/** Reads the finished hours of a cell, in order. */
export const readHours = (outDir: string, cell: string): HourResult[] =>
  finishedRuns<HourResult>(outDir, cell, RESULT).map(({ result }) => result);

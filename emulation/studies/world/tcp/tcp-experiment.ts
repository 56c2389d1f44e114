import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { DESIGNS, type DesignName } from '../designs.ts';
import { runsOf, worldExperiment, writeExperiment } from '../experiment.ts';
import type { Written } from '../files/written.ts';
import type { LinkRun } from '../link-run.ts';
import type { DayHours } from './real-time.ts';
import type { TcpLinkResult } from './run-tcp-link.ts';
import { validity, validityLine } from './validity.ts';

/** An experiment over TCP, as it was asked for. */
export interface TcpExperiment extends Omit<LinkRun, 'link' | 'design'> {
  readonly design: DesignName;
  readonly baselineDays: number;
  readonly hours: DayHours;
  readonly jobs: number;
  readonly written: Written;
  readonly command: string;
}

/** Of an experiment or a seed: the links that are finished, until all are. */
export const LINKS_KEPT = 'links';
export const forget = (folder: string): void => rmSync(join(folder, LINKS_KEPT), { recursive: true });

/** Only of the links that the experiment is on, since each takes its time. */
const plannedBy = ({ days, seed, world, treatment, design, baselineDays }: TcpExperiment) =>
  worldExperiment({ days, seed, world, treatment }, design, {
    baselineDays,
    truthLinks: DESIGNS[design].links,
  });

export const linksOf = (asked: TcpExperiment): LinkRun[] => runsOf(plannedBy(asked));

export function tellValidity(
  folder: string,
  runs: readonly LinkRun[],
  results: readonly TcpLinkResult[],
): void {
  replaceFiles(folder, { 'validity.json': asJson(validity(runs, results)) });
  console.log(validityLine(results));
}

/** Writes what all links of an experiment come to, in the order of `linksOf`, and forgets them. */
export function finishExperiment(
  outDir: string,
  asked: TcpExperiment,
  results: readonly TcpLinkResult[],
): void {
  const { command, design, days, seed, world, treatment, baselineDays, hours, jobs, written } = asked;
  const all = { days, seed, world, treatment };
  const settings = { command, over: 'tcp', design, ...all, baseline_days: baselineDays, hours, jobs };
  writeExperiment(
    outDir,
    plannedBy(asked),
    results.map(({ rows }) => rows),
    settings,
    written,
  );
  forget(outDir);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { progressPrinter } from '../../../system/progress.ts';
import { ensurePython, runPython } from '../../../system/python.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { checkAnySettings, readManifest } from '../../harness/runs/manifest.ts';
import { makeKey } from './blinding.ts';
import { RECORD } from './part.ts';
import { partCount, partName, runsFolder } from './plan.ts';
import type { TrialSettings } from './settings.ts';

/**
 * Writes `key.json`. If the first evaluated day is complete, also runs the analysis by `npm run experiment -- trial`.
 */
export async function reportTrial(outDir: string): Promise<void> {
  const settings = read(outDir);
  writeKey(outDir, settings);
  if (!countsAnything(outDir, settings)) return;
  const print = progressPrinter();
  try {
    await ensurePython(print);
    const status = await runPython('sammy_analysis', ['trial', outDir], { onProgress: print });
    if (status !== 0) throw new Error(`the analysis of ${outDir} ended with status ${status}`);
  } finally {
    print.end();
  }
}

/** Writes which arm each code stands for. The analysis reads this file last. */
const writeKey = (outDir: string, { arms, seed }: TrialSettings): void =>
  replaceFiles(outDir, { 'key.json': asJson(makeKey(arms, seed)) });

/** The lines for the terminal; empty if the analysis prints results. */
export const trialLines = (outDir: string): string[] =>
  countsAnything(outDir, read(outDir)) ? [] : ['no day that counts is whole yet'];

const read = (outDir: string): TrialSettings =>
  readManifest(outDir, (value) => checkAnySettings(value) as TrialSettings).experiment;

const countsAnything = (outDir: string, settings: TrialSettings): boolean =>
  Array.from({ length: partCount(settings) }, (_, index) => partName(index + 1)).every((cell) =>
    existsSync(join(runsFolder(outDir), cell, String(settings.first_day), RECORD)),
  );

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { experimentNamed } from '../experiments/index.ts';
import type { AskedOf } from '../../harness/runs/study.ts';
import { checkAnySettings, hasManifest, readManifest } from '../../harness/runs/manifest.ts';
import { runStudy } from '../../harness/runs/run-study.ts';
import { estimate, totalOf } from './estimate.ts';
import { askedOf, chapters } from './paper.ts';
import { isPaper, writePaper } from './write-paper.ts';

export interface Paper {
  readonly outDir: string;
  readonly quick: boolean;
  readonly resume: boolean;
  readonly seed: number | undefined;
  readonly command: string;
}

/** Runs every chapter of the paper in one lane, each in a folder of its own; then writes tables and pictures. */
export async function runPaper({
  outDir,
  quick,
  resume,
  ...conducting
}: Paper): Promise<'complete' | 'cut off'> {
  if (!resume && existsSync(outDir) && readdirSync(outDir).length > 0)
    throw new Error(`${outDir} has results already; add --resume, or choose another --out`);
  // Its own manifest would take the place of the experiment's.
  if (hasManifest(outDir) && !isPaper(outDir))
    throw new Error(`${outDir} has results of one experiment; choose another --out`);
  for (const chapter of chapters)
    await checkForm(join(outDir, chapter.name), askedOf(chapter, quick), chapter.name);
  const estimated = await estimate(quick);
  for (const { name, seconds } of estimated) console.log(`${name.padEnd(16)} ${minutes(seconds)}`);
  console.log(`${'all, about'.padEnd(16)} ${minutes(totalOf(estimated))}`);
  try {
    for (const chapter of chapters) {
      const folder = join(outDir, chapter.name);
      const result = await runStudy(experimentNamed(chapter.name), {
        ...conducting,
        asked: askedOf(chapter, quick),
        outDir: folder,
        resume: hasManifest(folder),
      });
      if (result === 'cut off') return result;
    }
    return 'complete';
  } finally {
    if (existsSync(outDir)) writePaper(outDir);
  }
}

/** Refuses to resume a folder of the quick form as the whole form, or the reverse, which would mix the two. */
async function checkForm(folder: string, asked: AskedOf, name: string): Promise<void> {
  if (!hasManifest(folder)) return;
  const before = readManifest(folder, checkAnySettings).experiment;
  const { runs, seconds } = (await experimentNamed(name).plan(asked)).settings;
  if (before.runs === runs && before.seconds === seconds) return;
  throw new Error(
    `${folder} has ${before.runs} runs of ${before.seconds} s a cell, and this form ${runs} of ${seconds} s; ` +
      'add or leave out --quick, or choose another --out',
  );
}

const minutes = (seconds: number): string => `${Math.ceil(seconds / 60)} min`;

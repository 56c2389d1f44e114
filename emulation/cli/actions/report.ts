import { existsSync } from 'node:fs';
import { finishedConfirmation } from '../../studies/confirm/confirmation.ts';
import { bufferPaper } from '../../studies/experiments/buffer-paper.ts';
import { experiments } from '../../studies/experiments/index.ts';
import { bufferExhibits } from '../../../buffers/flows/paper/exhibits.ts';
import { paper } from '../../studies/paper/paper.ts';
import { BUFFER_LOG, fillLog } from '../../studies/paper/fill-log.ts';
import { answerLines } from '../../studies/report/answer-lines.ts';
import { writeReport } from '../../studies/report/write-report.ts';
import { hasFinishedRun } from '../../harness/runs/finished-run.ts';
import { checkAnySettings, readManifest } from '../../harness/runs/manifest.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { outcomeOf } from './outcome-of.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- report',
  usage: 'DIR [options]',
  about: "Writes summary.json and report.html anew from the runs in DIR, or a paper's tables and pictures.",
  maxPositionals: 1,
  options: {
    log: {
      about:
        "and puts it into the documentation: the evidence of 'run paper' into docs/results/evidence, the tables and pictures of 'run buffer-paper' into docs/results/log/buffer-paper.md",
    },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { positionals, values } = commandLine.parse(args);
  const [folder] = positionals;
  if (folder === undefined || !existsSync(folder))
    throw new Error(`report: ${folder === undefined ? 'which folder?' : `there is no ${folder}`}`);
  await reportOn(folder, values.log ?? false);
}

async function reportOn(outDir: string, log: boolean): Promise<void> {
  const { experiment } = readManifest(outDir, checkAnySettings);
  if (!hasFinishedRun(outDir))
    throw new Error(
      `${outDir} has no finished run; npm run lab -- run ${experiment.name} --resume --out ${outDir} makes them`,
    );
  if (log && ![bufferPaper.name, paper.name].includes(experiment.name))
    throw new Error(
      `${outDir} is not what 'run paper' or 'run buffer-paper' left, of which --log shows the tables`,
    );
  // An experiment that is not in this list, since it was removed or is someone's own, is read as one of sessions.
  const known = [...experiments, finishedConfirmation].find(({ name }) => name === experiment.name);
  if (known) await known.report(outDir);
  else writeReport(outDir);
  if (log && experiment.name === paper.name)
    await (await import('../../studies/paper/publish-evidence.ts')).publishEvidence(outDir);
  else if (log) await fillLog(BUFFER_LOG, bufferExhibits(outDir), outDir);
  console.log((known ? await outcomeOf(known, outDir) : answerLines(outDir)).join('\n'));
}

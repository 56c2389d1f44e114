import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { finishedConfirmation } from '../../studies/confirm/confirmation.ts';
import { bufferPaper } from '../../studies/sessions/buffer-paper.ts';
import { studies } from '../../studies/sessions/index.ts';
import { bufferExhibits } from '../../../buffers/flows/paper/exhibits.ts';
import { paper } from '../../studies/paper/paper.ts';
import { BUFFER_LOG, fillLog } from '../../studies/paper/fill-log.ts';
import { answerLines, writeReport } from '../../studies/report/write-report.ts';
import { hasFinishedRun } from '../../harness/runs/finished-run.ts';
import { checkAnySettings, readManifest } from '../../harness/runs/manifest.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { summarizeOutcome } from './finished-experiment.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- report',
  usage: 'DIR... [options]',
  about: 'Writes summary.json and report.html again from the runs in DIR.',
  maxPositionals: Infinity,
  options: {
    log: {
      about:
        "also update the documentation: the evidence of 'run paper' into docs/results/evidence, the tables and pictures of 'run buffer-paper' into docs/results/log/buffer-paper.md",
    },
    beside: {
      valueName: 'DIR',
      about:
        'instead: compare the medians of two folders of one study, for example on two links, with intervals of the differences',
    },
    puffer: {
      valueName: 'FOLDER',
      about:
        "instead: write the sessions as Puffer's open data (docs/reference/puffer.md): video_sent, video_acked and client_buffer as Parquet",
    },
    validate: {
      about:
        'instead: compare the model with the measurements in the folders, by replaying their requests and simulating their sessions',
    },
    out: { valueName: 'DIR', about: 'with --validate: folder for the results (lab-results/validation)' },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { positionals, values } = commandLine.parse(args);
  const [folder, unexpected] = positionals;
  const { beside, puffer, validate: isValidation = false, out = join('lab-results', 'validation') } = values;
  if (folder === undefined || !existsSync(folder))
    throw new Error(`report: ${folder === undefined ? 'a folder is missing' : `there is no ${folder}`}`);
  if (isValidation) {
    const { validateFolders } = await import('../../studies/validate/validate-folders.ts');
    return validateFolders(positionals, out);
  }
  if (unexpected !== undefined) throw new Error(`report: one folder, or --beside ${unexpected}`);
  if (beside !== undefined) {
    const { comparedLines, compareRuns, differingSettings } = await import('../../studies/report/compare.ts');
    const compared = compareRuns(folder, beside);
    console.log([...differingSettings(folder, beside), ...comparedLines(compared)].join('\n'));
  } else if (puffer !== undefined) await exportTo(resolve(folder), resolve(puffer));
  else await reportOn(folder, values.log ?? false);
}

/** Exports the sessions as tables for training and for the statistics in analysis/. */
async function exportTo(outDir: string, into: string): Promise<void> {
  const { exportSessions } = await import('../../studies/export/export-sessions.ts');
  const { sessions, rows, older } = exportSessions(outDir, into);
  if (older.length > 0)
    console.warn(`${older.length} sessions have no playback.csv and are left out, such as ${older[0]}`);
  const counts = Object.entries(rows).map(([table, count]) => `${table} ${count}`);
  console.log(`${into}: ${sessions} sessions, ${counts.join(', ')}`);
}

async function reportOn(outDir: string, log: boolean): Promise<void> {
  const { experiment } = readManifest(outDir, checkAnySettings);
  if (!hasFinishedRun(outDir))
    throw new Error(
      `${outDir} has no finished run; npm run lab -- run ${experiment.name} --resume --out ${outDir} makes them`,
    );
  if (log && ![bufferPaper.name, paper.name].includes(experiment.name))
    throw new Error(
      `${outDir} has no results of 'run paper' or 'run buffer-paper', whose tables --log inserts`,
    );
  // A study that is not in this list (a removed one, or a user's own) is reported as a study of sessions.
  const known = [...studies, finishedConfirmation].find(({ name }) => name === experiment.name);
  if (known) await known.report(outDir);
  else writeReport(outDir);
  if (log && experiment.name === paper.name)
    await (await import('../../studies/paper/publish-evidence.ts')).publishEvidence(outDir);
  else if (log) await fillLog(BUFFER_LOG, bufferExhibits(outDir), outDir);
  console.log((known ? await summarizeOutcome(known, outDir) : answerLines(outDir)).join('\n'));
}

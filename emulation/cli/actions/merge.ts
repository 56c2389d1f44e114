import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { conclusionLines, isConfirmation } from '../../studies/confirm/conclusion.ts';
import { finishedExperiment } from './finished-experiment.ts';
import { merge } from '../../harness/runs/merge.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- merge',
  usage: 'DIR... --out DIR',
  about: 'Combines the shards of one study, lists the missing runs, and prints the command that makes them.',
  maxPositionals: Infinity,
  options: {
    out: { valueName: 'DIR', about: 'folder for the combined runs' },
    'mixed-commits': { about: 'accept runs of several commits; the manifest then names them' },
  },
});
export const { help } = commandLine;

/**
 * Merges the folders into one. If runs are missing, merges the existing runs, and then throws an Error that lists the
 * missing runs.
 */
export async function main(args: readonly string[]): Promise<void> {
  const { positionals, values, command } = commandLine.parse(args);
  if (values.out === undefined) throw new Error('merge needs a target folder: --out DIR');
  const outDir = resolve(values.out);
  const folders = positionals.map((folder) => resolve(folder));
  const mixedCommits = values['mixed-commits'] ?? false;
  const { made, missing, again } = await merge({
    ...{ folders, command, mixedCommits, outDir },
    findStudy: finishedExperiment,
  });
  if (existsSync(join(outDir, 'report.html'))) console.log(`${outDir}/report.html`);
  if (isConfirmation(outDir)) console.log(conclusionLines(outDir).join('\n'));
  if (missing.length > 0)
    throw new Error(
      `${made.length} of ${made.length + missing.length} runs are merged; missing: ${missing.join(', ')}; ` +
        `npm run lab -- ${again} makes them`,
    );
}

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { validate, type Validation } from './validate.ts';
import { renderValidation, validationLines } from './validation-report.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- validate',
  usage: 'DIR... [options]',
  about:
    'How true the simulator is, by what the lab measured: its requests replayed, and its sessions played anew.',
  maxPositionals: Infinity,
  options: { out: { valueName: 'DIR', about: 'where the results go (lab-results/validation)' } },
});
export const { help } = commandLine;

/** Compares the simulator's results with the lab's measurements. */
export async function main(args: readonly string[]): Promise<void> {
  const { positionals: folders, values } = commandLine.parse(args);
  if (folders.length === 0) throw new Error("validate: which folders of the lab's results?");
  for (const folder of folders) {
    if (!existsSync(folder)) throw new Error(`validate: there is no ${folder}`);
  }
  const film = await ensureDefaultContent();
  const validations: Validation[] = [];
  for (const folder of folders) {
    const print = progressPrinter();
    const validation = await validate(folder, film, print);
    print.end();
    validations.push(validation);
    console.log(validationLines(validation).join('\n'));
  }
  const outDir = resolve(values.out ?? join('lab-results', 'validation'));
  await mkdir(outDir, { recursive: true });
  replaceFiles(outDir, {
    'validation.json': asJson(validations),
    'validation.html': renderValidation(validations),
  });
  console.log(`${outDir}/validation.html`);
}

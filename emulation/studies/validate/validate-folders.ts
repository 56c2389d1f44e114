import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { validate, type Validation } from './validate.ts';
import { renderValidation, validationLines } from './validation-report.ts';

/** Compares the model's results with the measurements in folders of the lab, and writes the comparison into `out`. */
export async function validateFolders(folders: readonly string[], out: string): Promise<void> {
  for (const folder of folders) {
    if (!existsSync(folder)) throw new Error(`report --validate: there is no ${folder}`);
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
  const outDir = resolve(out);
  await mkdir(outDir, { recursive: true });
  replaceFiles(outDir, {
    'validation.json': asJson(validations),
    'validation.html': renderValidation(validations),
  });
  console.log(`${outDir}/validation.html`);
}

import { join, resolve } from 'node:path';
import { PAPER, paperLine } from './command-line.ts';
import { runPaper } from './run-paper.ts';

/** `lab run paper`. */
export async function main(args: readonly string[]): Promise<void> {
  const { values, command } = paperLine.parse(args);
  const { out, quick = false, resume = false, seed } = values;
  const outDir = resolve(out ?? join('lab-results', PAPER));
  await runPaper({ outDir, quick, resume, seed, command });
  console.log(`${outDir}/tables, ${outDir}/figures; npm run lab -- report ${outDir} --log`);
}

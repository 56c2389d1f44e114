import { readFileSync } from 'node:fs';
import { progressPrinter } from '../system/progress.ts';
import { runPython } from '../system/python.ts';

/** The Python program prints the same text, for those who install it with pip. */
export const help = readFileSync(new URL('sammy_analysis/help.txt', import.meta.url), 'utf8');

export async function main(args: string[]): Promise<void> {
  const print = progressPrinter();
  try {
    process.exitCode = await runPython('sammy_analysis', args, { onProgress: print });
  } finally {
    print.end();
  }
}

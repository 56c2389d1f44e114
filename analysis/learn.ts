import { readFileSync } from 'node:fs';
import { progressPrinter } from '../system/progress.ts';
import { runPython } from '../system/python.ts';

/** The help text, which the Python program prints too. */
export const help = readFileSync(new URL('sammy_analysis/ttp/help.txt', import.meta.url), 'utf8');

/** Trains a predictor on finished sessions: `npm run learn`. */
export async function main(args: string[]): Promise<void> {
  const print = progressPrinter();
  try {
    process.exitCode = await runPython('sammy_analysis.ttp', args, { onProgress: print });
  } finally {
    print.end();
  }
}

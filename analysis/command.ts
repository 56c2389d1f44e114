import { readFileSync } from 'node:fs';
import { progressPrinter } from '../system/progress.ts';
import { runPython } from '../system/python.ts';
import { lintConfiguration } from './lint-configuration.ts';

/** The Python program prints the same text, for those who install it with pip. */
export const help = readFileSync(new URL('sammy_analysis/help.txt', import.meta.url), 'utf8');

export async function main(args: string[]): Promise<void> {
  const [command, file = ''] = args;
  if (command === undefined) {
    console.log(help.trim());
    return;
  }
  // Sessions come as lines of JSON at most, and never as one document.
  if (command === 'lint' && args.length === 2 && file.endsWith('.json')) {
    const lines = lintConfiguration(file);
    console.log(lines.join('\n') || `${file}: nothing to say against it`);
    if (lines.length > 0) process.exitCode = 1;
    return;
  }
  const print = progressPrinter();
  try {
    process.exitCode = await runPython('sammy_analysis', args, { onProgress: print });
  } finally {
    print.end();
  }
}

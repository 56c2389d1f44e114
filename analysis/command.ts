import { readFileSync } from 'node:fs';
import { progressPrinter } from '../system/progress.ts';
import { runPython } from '../system/python.ts';
import { lintConfiguration } from './lint-configuration.ts';

/** The help text. The Python program, which users can also install with pip, prints the same text. */
export const help = readFileSync(new URL('sammy_analysis/help.txt', import.meta.url), 'utf8');

export async function main(args: string[]): Promise<void> {
  const [command, file = ''] = args;
  if (command === undefined) {
    console.log(help.trim());
    return;
  }
  // A file that ends in .json is a configuration: sessions are never one JSON document, only JSON lines.
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

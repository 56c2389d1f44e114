import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Returns the first line that a program prints. Throws an Error if the program ends without output. */
export async function firstLine(program: ChildProcess): Promise<string> {
  if (!program.stdout) throw new Error('the program has no output');
  const printed = once(program.stdout, 'data') as Promise<[Buffer]>;
  const ended = once(program, 'exit').then(() => {
    throw new Error(`${program.spawnargs.slice(-6).join(' ')} ended before it said anything`);
  });
  const [text] = await Promise.race([printed, ended]);
  ended.catch(() => undefined);
  return text.toString().trim();
}

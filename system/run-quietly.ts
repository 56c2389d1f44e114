import { spawn, type SpawnOptions } from 'node:child_process';

/**
 * Runs a program to its end without showing its output. Resolves to its stdout. On failure, throws a one-line Error
 * with the program's name and the last line of its stderr.
 */
export async function runQuietly(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'signal' | 'timeout' | 'shell'> = {},
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-8000);
  });
  const ending = await new Promise<string | undefined>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(signal === null ? `exit status ${String(code)}` : `ended by ${signal}`);
    });
  });
  if (ending === undefined) return output;
  const lastLine = complaint.trim().split('\n').at(-1)?.trim();
  throw new Error(
    `${program} ${args[0] ?? ''} failed: ${lastLine === undefined || lastLine === '' ? ending : lastLine}`,
  );
}

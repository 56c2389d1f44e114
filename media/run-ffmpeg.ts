import { spawn } from 'node:child_process';

export interface RunOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** The duration of the output, to convert ffmpeg's progress to a fraction. */
  readonly duration_s: number;
  readonly onFraction: (fraction: number) => void;
}

/** Removes the address from a message: `[h264 @ 0x55d0c8] error while decoding` becomes `error while decoding`. */
const withoutAddress = (line: string): string => line.replace(/^(\[[^\]]*\]\s*)+/, '').trim();

/**
 * Runs ffmpeg to its end. Resolves to its error messages. Aborting kills ffmpeg, and rejects only after ffmpeg has
 * ended, so that nothing writes into the folder while the caller cleans up.
 */
export async function runFfmpeg(
  ffmpeg: string,
  args: readonly string[],
  options: RunOptions,
): Promise<string[]> {
  const child = spawn(
    ffmpeg,
    ['-hide_banner', '-nostdin', '-y', '-loglevel', 'error', '-nostats', '-progress', 'pipe:1', ...args],
    { cwd: options.cwd, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const kill = () => child.kill('SIGKILL');
  options.signal.addEventListener('abort', kill);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    // Limit the text, because a broken input can produce a message for every frame.
    if (complaints.length < 64_000) complaints += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // ffmpeg's out_time_ms is in microseconds, despite its name; N/A until the first frame has been written.
    const time_us = Number(/out_time_ms=(\d+)/.exec(text)?.[1]);
    if (time_us > 0) options.onFraction(Math.min(1, time_us / 1e6 / options.duration_s));
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  options.signal.removeEventListener('abort', kill);
  options.signal.throwIfAborted();
  const lines = complaints.split('\n').map(withoutAddress).filter(Boolean);
  if (code !== 0) throw new Error(`ffmpeg failed: ${lines[0] ?? `exit status ${String(code)}`}`);
  return lines;
}

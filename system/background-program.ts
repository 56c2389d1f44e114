import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The longest wait for a program to accept connections. Viceroy compiles before it listens, which takes seconds, or a
 * minute on a busy machine.
 */
const PATIENCE_MS = 180_000;

export interface BackgroundProgram {
  readonly pid: number;
  close(): Promise<void>;
}

/**
 * Starts a server program and waits until its port on loopback accepts connections. `onLine` receives each line that
 * it prints. Throws an Error with its last line if it exits before it listens.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  {
    port,
    onLine = () => undefined,
    cwd,
    env,
  }: { port: number; onLine?: (line: string) => void; cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<BackgroundProgram> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd && { cwd }),
    ...(env && { env }),
  });
  let last = 'it printed nothing';
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.trim() !== '') last = line;
        onLine(line);
      }
    });
  }
  let ended: string | null = null;
  child.once('error', (error) => (ended = error.message));
  const exited = once(child, 'close').then(
    () => (ended ??= last),
    () => undefined,
  );
  // Stop the child when this process exits without calling close().
  const endChild = (): void => void child.kill();
  process.once('exit', endChild);

  const close = async (): Promise<void> => {
    process.removeListener('exit', endChild);
    if (ended !== null) return;
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(5000, undefined, { ref: false })]);
    child.kill('SIGKILL');
    await exited;
  };

  const deadline = performance.now() + PATIENCE_MS;
  while (!(await accepts(port))) {
    const failure = said(ended);
    if (failure !== null) throw new Error(`${program} did not start: ${failure}`);
    if (performance.now() > deadline) {
      await close();
      throw new Error(`${program} did not listen on port ${port} within ${PATIENCE_MS / 1000} s: ${last}`);
    }
    await sleep(50);
  }
  return { pid: child.pid ?? 0, close };
}

/** Calls `start` with a temporary folder. The folder is deleted by `close()`, or at once if `start` fails. */
export async function inOwnFolder<T extends { close(): Promise<void> }>(
  name: string,
  start: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `dashjs-sammy-${name}-`));
  const cleanUp = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const started = await start(folder);
    return { ...started, close: () => started.close().then(cleanUp) };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/**
 * Returns its argument with the declared type. Needed because the type checker ignores the assignments in event
 * handlers, and narrows `ended` to null.
 */
const said = (ended: string | null): string | null => ended;

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

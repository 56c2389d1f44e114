import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEndingSignal } from '../../../system/ending-signals.ts';

const INIT = fileURLToPath(new URL('init.sh', import.meta.url));
/**
 * Processor time, s, that the machine may use while its clock stands still. More means that a program waits for time to
 * pass in a busy loop.
 */
const STANDSTILL_CPU_S = 120;
const START_S = 1_700_000_000;
const WITHIN_S = 7 * 86_400;
const LOOK_EVERY_MS = 2000;
/** The interval at which the files that init.sh, the machine's first process, writes are read. */
const READ_EVERY_MS = 100;
const STREAMS = ['stdout', 'stderr'] as const;
/**
 * The amount of the kernel's own output that is kept for the error message in case the kernel does not reach the
 * command.
 */
const KEPT_CHARACTERS = 4000;

export interface InsideOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Folders of the host that are mounted at other paths inside. The keys are the paths inside, below /run. */
  readonly mounts?: Readonly<Record<string, string>>;
  /** The machine's memory; the host allocates only the used part. */
  readonly memory_mib?: number;
  /** The machine's clock at its start, s since 1970. The same start gives the same run. */
  readonly start_s?: number;
  /** Ends the machine when this much virtual time has passed, s. */
  readonly within_s?: number;
  /** Ends the machine when it has used this much processor time of the host, s, while its clock stood still. */
  readonly standstill_cpu_s?: number;
  /** Called with the command's output. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
  readonly signal?: AbortSignal;
}

/** How a command inside ended, and how much virtual time it took, s. */
export interface InsideResult {
  readonly status: number;
  readonly virtual_s: number;
}

/**
 * Runs a command in a virtual machine whose clock stops during computation and skips idle time. The machine is a kernel
 * that runs as an ordinary process of the host's user, with the host's files. Throws an Error of one line when the
 * kernel does not reach the command, when the command waits for time to pass in a busy loop, or when it does not end in
 * time.
 */
export async function runInside(
  kernel: string,
  command: readonly string[],
  options: InsideOptions = {},
): Promise<InsideResult> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-machine-'));
  try {
    const { cwd = process.cwd(), env = {}, mounts = {} } = options;
    const variables = Object.entries({ ...process.env, ...env });
    for (const [name, lines] of [
      ['words', command],
      ['place', [cwd]],
      ['mounts', Object.entries(mounts).flat()],
      ['environment', variables.map(([variable, value]) => `${variable}=${value ?? ''}`)],
    ] as const)
      await writeFile(join(folder, name), lines.map((line) => `${line}\0`).join(''));
    for (const file of [...STREAMS, 'clock']) await writeFile(join(folder, file), '');
    return await watchMachine(startKernel(kernel, folder, options), folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function startKernel(
  kernel: string,
  folder: string,
  { memory_mib = 4096, start_s = START_S }: InsideOptions,
): ChildProcess {
  const words = [
    ...[`mem=${memory_mib}M`, 'rootfstype=hostfs', 'rw', 'init=/bin/bash', 'quiet', 'loglevel=1'],
    ...['time-travel=inf-cpu', `time-travel-start=${start_s}000000000`],
    ...['con=null', 'con0=null,fd:1', 'console=tty0'],
    ...['--', INIT, folder],
  ];
  return spawn(kernel, words, {
    // The kernel stores its own files in HOME.
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, because the machine's processes are children of the kernel's process.
    detached: true,
  });
}

/** Follows a machine until its end, and ends it on failure or timeout. */
async function watchMachine(
  child: ChildProcess,
  folder: string,
  {
    start_s = START_S,
    within_s = WITHIN_S,
    standstill_cpu_s = STANDSTILL_CPU_S,
    onOutput = () => undefined,
    signal,
  }: InsideOptions,
): Promise<InsideResult> {
  const seen: { now_s: number; began_s?: number; status?: number; failure?: string } = { now_s: start_s };
  const gone_s = (): number => seen.now_s - (seen.began_s ?? seen.now_s);
  const cpu_s = (): number => (child.pid === undefined ? 0 : groupCpu_s(child.pid));
  let movedAt_cpu_s = 0;
  const end = (why?: string): void => {
    if (why !== undefined) seen.failure ??= why;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The machine has already ended.
    }
  };
  const onLine = (line: string): void => {
    const [, what, value] = /^(time|status) (\d+)$/.exec(line) ?? [];
    if (what === 'status') seen.status = Number(value);
    if (what !== 'time') return;
    seen.now_s = Number(value);
    seen.began_s ??= seen.now_s;
    movedAt_cpu_s = cpu_s();
    if (gone_s() > within_s)
      end(`the command had not ended when the machine's clock had gone on by ${within_s} s`);
  };
  const kernelSaid = collectOutput(child);
  const streams = STREAMS.map((stream) => [stream, newBytesReader(join(folder, stream))] as const);
  const newLines = newLinesReader(join(folder, 'clock'));
  const read = (): void => {
    for (const [stream, newBytes] of streams) {
      const chunk = newBytes();
      if (chunk.length > 0) onOutput(stream, chunk);
    }
    for (const line of newLines()) onLine(line);
  };
  const reading = setInterval(read, READ_EVERY_MS);
  const looking = setInterval(() => {
    if (cpu_s() - movedAt_cpu_s < standstill_cpu_s) return;
    end(
      `the machine's clock has stood still at ${gone_s()} s for ${standstill_cpu_s} s of computing: something in it spins until time passes, which there it never does`,
    );
  }, LOOK_EVERY_MS);
  const stopListening = onEndingSignal(() => end('interrupted'));
  signal?.addEventListener('abort', () => end('ended early'), { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => resolve());
    });
    read();
    if (seen.failure !== undefined) throw new Error(seen.failure);
    if (seen.began_s === undefined) throw new Error(`the machine's kernel did not start${kernelSaid()}`);
    if (seen.status === undefined) throw new Error(`the machine ended before its command${kernelSaid()}`);
    return { status: seen.status, virtual_s: gone_s() };
  } finally {
    clearInterval(reading);
    clearInterval(looking);
    stopListening();
    end();
  }
}

/** Returns a function that reads the bytes appended to a file since its last call. */
function newBytesReader(file: string): () => Buffer {
  const chunk = Buffer.alloc(65_536);
  let at = 0;
  return () => {
    const descriptor = openSync(file, 'r');
    try {
      const parts: Buffer[] = [];
      for (let length = 1; length > 0; at += length) {
        length = readSync(descriptor, chunk, 0, chunk.length, at);
        parts.push(Buffer.from(chunk.subarray(0, length)));
      }
      return Buffer.concat(parts);
    } finally {
      closeSync(descriptor);
    }
  };
}

/** Returns a function that reads the whole lines appended to a file since its last call. */
function newLinesReader(file: string): () => string[] {
  const newBytes = newBytesReader(file);
  let rest = '';
  return () => {
    const lines = (rest + newBytes().toString()).split('\n');
    rest = lines.pop() ?? '';
    return lines;
  };
}

/** Collects the kernel's own output, and returns a function that gives its last line for a message. */
function collectOutput(child: ChildProcess): () => string {
  let said = '';
  for (const stream of STREAMS)
    child[stream]?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('latin1')).slice(-KEPT_CHARACTERS);
    });
  return () => {
    const last = said.trim().split('\n').at(-1)?.trim() ?? '';
    return last === '' ? '' : `: ${last}`;
  };
}

/** Clock ticks per second in `/proc/PID/stat` (proc(5)): 100 for user space on x86. */
const TICKS_PER_S = 100;

/** The processor time, s, of the running processes of a process group, and of their children that have ended. */
function groupCpu_s(group: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The program's name, in parentheses, may contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) !== group) continue;
      for (const field of [11, 12, 13, 14]) ticks += Number(fields[field]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / TICKS_PER_S;
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';

/** A server in a process of its own, so that its cost can be measured. */
export interface MeasuredServer {
  readonly name: string;
  readonly process: ChildProcess;
  readonly host: string;
  readonly port: number;
  /** The path, with its query, that viewers request. */
  readonly path: string;
}

/** Ends a process and waits for its exit. If SIGTERM has no effect within 5 s, prints a message and kills the process. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const patience = setTimeout(() => {
    console.error(`process ${child.pid ?? ''} did not end at SIGTERM; killing it`);
    child.kill('SIGKILL');
  }, 5000);
  child.kill();
  await exit;
  clearTimeout(patience);
}

/**
 * Returns the CPU seconds of a server: `utime` and `stime` of proc(5), which are fields 14 and 15 of `stat`, in ticks
 * of 10 ms. Field 2, a name, may contain spaces.
 */
export async function cpuSeconds({ process }: MeasuredServer): Promise<number> {
  const stat = await readFile(`/proc/${process.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function residentMegabytes({ process }: MeasuredServer): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
}

export const countDescriptors = async ({ process }: MeasuredServer): Promise<number> =>
  (await readdir(`/proc/${process.pid}/fd`)).length;

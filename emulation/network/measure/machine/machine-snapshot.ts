import { readdirSync, readFileSync } from 'node:fs';
import {
  parseCpuTicks,
  parsePressure_us,
  parseProcessTimes,
  parseThreadTimes,
  type CpuTicks,
  type ProcessTimes,
  type ThreadTimes,
} from './proc-files.ts';
import { otherShards } from './other-shards.ts';

/** The kernel's figures about the machine at one moment. */
export interface MachineSnapshot {
  /** On a clock that only goes forward. */
  readonly at_ms: number;
  readonly processors: number;
  readonly cpu: CpuTicks;
  /** See `parsePressure_us`. */
  readonly pressure_us: number | null;
  readonly processes: readonly ProcessTimes[];
  /** The processes of other shards of the experiment, which belong to the lab: see `otherShards`. */
  readonly shards: readonly number[];
  /** Threads of the run's own processes, by thread and process. */
  readonly threads: readonly (ThreadTimes & { readonly pid: number; readonly tid: number })[];
}

/** The processes by which processor time is attributed. */
export interface Owners {
  /** The lab's process; it and all that it has started count as the lab's load. */
  readonly lab: number;
  /** The process of this run, whose threads are read one by one. */
  readonly run: number;
}

/** Takes a snapshot: reads one small file for each process of the machine and for each thread of the run. */
export function machineSnapshot({ lab, run }: Owners): MachineSnapshot {
  const stat = readFileSync('/proc/stat', 'utf8');
  const processes = numbersIn('/proc').flatMap((pid) => {
    const text = textOf(`/proc/${pid}/stat`);
    return (text === null ? null : parseProcessTimes(text)) ?? [];
  });
  const threads = [...descendantsOf(run, processes)].flatMap((pid) =>
    numbersIn(`/proc/${pid}/task`).flatMap((tid) => {
      const text = textOf(`/proc/${pid}/task/${tid}/schedstat`);
      const times = text === null ? null : parseThreadTimes(text);
      return times === null ? [] : { pid, tid, ...times };
    }),
  );
  return {
    at_ms: performance.now(),
    processors: [...stat.matchAll(/^cpu\d/gm)].length,
    cpu: parseCpuTicks(stat),
    pressure_us: parsePressure_us(textOf('/proc/pressure/cpu') ?? ''),
    processes,
    shards: otherShards(lab, commandsOf(processes)),
    threads,
  };
}

const commandsOf = (processes: readonly ProcessTimes[]): Map<number, string[]> =>
  new Map(
    processes
      // A lab's process is a `node`, also when started by npm; the others need not be read.
      .filter(({ command }) => command.startsWith('node'))
      .map(({ pid }) => [pid, (textOf(`/proc/${pid}/cmdline`) ?? '').split('\0')]),
  );

/** A process and all that it has started, directly or not. */
export function descendantsOf(root: number, processes: readonly ProcessTimes[]): Set<number> {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of processes) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found = new Set<number>();
  const add = (pid: number): void => {
    found.add(pid);
    children.get(pid)?.forEach(add);
  };
  add(root);
  return found;
}

const numbersIn = (folder: string): number[] => {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    // The process has ended.
    return [];
  }
};

/** Reads a file; null if its process has ended, or if this kernel does not have it. */
const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

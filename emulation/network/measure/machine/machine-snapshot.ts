import { readdirSync, readFileSync } from 'node:fs';
import {
  parseCpuTicks,
  parsePressure_us,
  parseProcessTimes,
  parseWaited_ns,
  type CpuTicks,
  type ProcessTimes,
} from './proc-files.ts';
import { otherShards } from './other-shards.ts';

/** The kernel's figures about the machine at one moment. */
export interface MachineSnapshot {
  /** On a monotonic clock. */
  readonly at_ms: number;
  readonly processors: number;
  readonly cpu: CpuTicks;
  /** The result of `parsePressure_us`. */
  readonly pressure_us: number | null;
  readonly processes: readonly ProcessTimes[];
  /** The processes of other shards of the experiment, which belong to the lab: see `otherShards`. */
  readonly shards: readonly number[];
  /** Threads of the run's own processes, by thread and process. */
  readonly threads: readonly { readonly pid: number; readonly tid: number; readonly waited_ns: number }[];
}

/** The processes to which processor time is attributed. */
export interface Owners {
  /** The lab's process; its load includes all programs that it started. */
  readonly lab: number;
  /** The process of this run, for which each thread's waits are read. */
  readonly run: number;
}

/** Takes a snapshot: reads one small file for each process of the machine and for each thread of the run. */
export function machineSnapshot({ lab, run }: Owners): MachineSnapshot {
  const stat = readFileSync('/proc/stat', 'utf8');
  const processes = numbersIn('/proc').flatMap((pid) => {
    const text = readIfPresent(`/proc/${pid}/stat`);
    return (text === null ? null : parseProcessTimes(text)) ?? [];
  });
  const threads = [...findDescendants(run, processes)].flatMap((pid) =>
    numbersIn(`/proc/${pid}/task`).flatMap((tid) => {
      const text = readIfPresent(`/proc/${pid}/task/${tid}/schedstat`);
      const waited_ns = text === null ? null : parseWaited_ns(text);
      return waited_ns === null ? [] : { pid, tid, waited_ns };
    }),
  );
  return {
    at_ms: performance.now(),
    processors: [...stat.matchAll(/^cpu\d/gm)].length,
    cpu: parseCpuTicks(stat),
    pressure_us: parsePressure_us(readIfPresent('/proc/pressure/cpu') ?? ''),
    processes,
    shards: otherShards(lab, readCommands(processes)),
    threads,
  };
}

const readCommands = (processes: readonly ProcessTimes[]): Map<number, string[]> =>
  new Map(
    processes
      // The lab's process is a `node` even if npm started it, so other command lines need not be read.
      .filter(({ command }) => command.startsWith('node'))
      .map(({ pid }) => [pid, (readIfPresent(`/proc/${pid}/cmdline`) ?? '').split('\0')]),
  );

/** Returns a process and all its direct and indirect children. */
export function findDescendants(root: number, processes: readonly ProcessTimes[]): Set<number> {
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

/** Reads a file; null if its process has ended, or if this kernel does not have the file. */
const readIfPresent = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

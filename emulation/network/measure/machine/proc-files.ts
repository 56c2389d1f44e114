/** Parsers of the kernel's text files about processors and processes (man 5 proc). The callers read the files. */

/** The first line of /proc/stat: the time of all processors since the start, in clock ticks (1/100 s). */
export interface CpuTicks {
  readonly idle: number;
  /** The busy time; waiting for a disk counts as idle, and interrupts as busy. */
  readonly busy: number;
  /**
   * The time that the hypervisor gave to other machines while this machine had work; null if the kernel does not count
   * steal.
   */
  readonly stolen: number | null;
}

/** A line of /proc/PID/stat. */
export interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** The program's name, of at most 15 characters. */
  readonly command: string;
  /**
   * The processor time of the process and of its ended children, in clock ticks; for init, without the children. Init
   * adopts the processes that an ended browser leaves behind, and with them one job's browser would count as another
   * program for the other jobs.
   */
  readonly ticks: number;
}

const INIT = 1;

/** Clock ticks per second: USER_HZ, which is 100 on every Linux that Node supports. */
export const TICKS_PER_S = 100;

/** Parses /proc/stat. Throws an Error for another text. */
export function parseCpuTicks(text: string): CpuTicks {
  const fields = /^cpu +([\d ]+)/m.exec(text)?.[1]?.trim().split(/ +/).map(Number);
  if (!fields || fields.length < 4) throw new Error('/proc/stat has no line of all processors');
  // "guest" and "guest_nice", the last two fields, are included in "user" and "nice".
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal] = fields;
  return { idle: idle + iowait, busy: user + nice + system + irq + softirq, stolen: steal ?? null };
}

/**
 * Parses the line `some` of /proc/pressure/cpu: the microseconds since the start for which at least one thread of the
 * machine was ready to run and had no processor. Null if the kernel does not count pressure.
 */
export function parsePressure_us(text: string): number | null {
  const total = /^some .*\btotal=(\d+)/m.exec(text)?.[1];
  return total === undefined ? null : Number(total);
}

/**
 * Parses /proc/PID/stat; null for another text. A program's name may contain brackets, so the last bracket ends the
 * name.
 */
export function parseProcessTimes(text: string): ProcessTimes | null {
  const [, pid, command, rest] = /^(\d+) \(([^]*)\) ([^]*)$/.exec(text) ?? [];
  if (pid === undefined || command === undefined || rest === undefined) return null;
  // `rest` begins with the third field of the manual page, the state. The parent is the 4th field, and the times are
  // the 14th to 17th.
  const fields = rest.split(' ');
  const times = fields.slice(11, 15).map(Number);
  if (times.length < 4) return null;
  const counted = Number(pid) === INIT ? times.slice(0, 2) : times;
  return { pid: Number(pid), parent: Number(fields[1]), command, ticks: counted.reduce((a, b) => a + b, 0) };
}

/**
 * Parses /proc/PID/schedstat or /proc/PID/task/TID/schedstat: the time for which one thread, since it started, was ready
 * to run and waited for a processor. Null for another text.
 */
export function parseWaited_ns(text: string): number | null {
  const waited = /^\d+ (\d+) \d+\s*$/.exec(text)?.[1];
  return waited === undefined ? null : Number(waited);
}

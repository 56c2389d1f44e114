import { readdirSync, readFileSync } from 'node:fs';

/** Of `/proc/PID/stat` (proc(5)): clock ticks a second, which Linux on x86 tells user space as 100. */
const TICKS_PER_S = 100;

/** The processor time, s, of all processes of a group that are there, with that of the children they have waited for. */
export function groupCpu_s(group: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name of the program, in parentheses, may have spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) !== group) continue;
      for (const field of [11, 12, 13, 14]) ticks += Number(fields[field]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / TICKS_PER_S;
}

import { findDescendants, type MachineSnapshot, type Owners } from './machine-snapshot.ts';
import { TICKS_PER_S, type ProcessTimes } from './proc-files.ts';

/**
 * How busy the machine was between two moments. `_pct` are shares of all processors' time; `_ms_per_s` are waits: 1
 * means a wait of one millisecond per second.
 */
export interface MachineLoad {
  readonly seconds: number;
  readonly busy_pct: number;
  /**
   * The processor time of programs that the lab has not started, without kernel threads, because much of the kernel
   * threads' work is for the lab.
   */
  readonly others_pct: number;
  /** The processor time that the hypervisor gave to other machines; null if the kernel does not count steal. */
  readonly steal_pct: number | null;
  /**
   * Steal as a share of the time for which this machine wanted a processor, which does not grow with the machine's own
   * load.
   */
  readonly steal_of_demand_pct: number | null;
  /** The time for which at least one thread was ready to run and had no processor; null without CONFIG_PSI. */
  readonly pressure_ms_per_s: number | null;
  /**
   * The total time that threads of each part of the run were ready but had no processor; null without
   * CONFIG_SCHED_INFO, and for a part that is absent in this run.
   */
  readonly run_queue_delay_ms_per_s: Readonly<Record<RunPart, number | null>>;
}

/**
 * The parts of a run:
 * - `edge`: the process that controls the run, with the edge and the other servers in it, and the P4 switch if there is
 *   one;
 * - `link`: mahimahi's shells;
 * - `browser`: all processes of the browser, including those of the neighbor;
 * - `programs`: those of the neighbor, and all other programs that were started.
 */
export type RunPart = 'edge' | 'link' | 'browser' | 'programs';

const PARTS: readonly RunPart[] = ['edge', 'link', 'browser', 'programs'];

export function machineLoadBetween(
  before: MachineSnapshot,
  after: MachineSnapshot,
  owners: Owners,
): MachineLoad {
  const seconds = (after.at_ms - before.at_ms) / 1000;
  const all_s = seconds * after.processors;
  const pct = (ticks: number) => (all_s > 0 ? (ticks / TICKS_PER_S / all_s) * 100 : 0);
  const busy = after.cpu.busy - before.cpu.busy;
  const idle = after.cpu.idle - before.cpu.idle;
  const stolen =
    after.cpu.stolen === null || before.cpu.stolen === null ? null : after.cpu.stolen - before.cpu.stolen;
  const total = busy + idle + (stolen ?? 0);
  const getShare_pct = (ticks: number) => (total > 0 ? (ticks / total) * 100 : 0);
  return {
    seconds,
    busy_pct: getShare_pct(busy),
    others_pct: Math.max(0, pct(othersTicks(after, owners) - othersTicks(before, owners))),
    steal_pct: stolen === null ? null : getShare_pct(stolen),
    steal_of_demand_pct: stolen === null ? null : busy + stolen > 0 ? (stolen / (busy + stolen)) * 100 : 0,
    pressure_ms_per_s:
      before.pressure_us === null || after.pressure_us === null || seconds <= 0
        ? null
        : (after.pressure_us - before.pressure_us) / 1000 / seconds,
    run_queue_delay_ms_per_s: delays(before, after, seconds, owners),
  };
}

/** The process id of kthreadd, the parent of the kernel's own threads. */
const KERNEL_THREADS = 2;

/**
 * The processor time of all programs outside of the lab. The time of a process that has ended is part of its parent's
 * time, so the sum only grows. The kernel's counts per process are exact, unlike those of /proc/stat, which only
 * samples at clock ticks.
 */
function othersTicks({ processes, shards }: MachineSnapshot, { lab }: Owners): number {
  const ours = new Set([lab, ...shards].flatMap((pid) => [...findDescendants(pid, processes)]));
  const isKernels = ({ pid, parent }: ProcessTimes) => pid === KERNEL_THREADS || parent === KERNEL_THREADS;
  return processes
    .filter((process) => !ours.has(process.pid) && !isKernels(process))
    .reduce((sum, { ticks }) => sum + ticks, 0);
}

function delays(
  before: MachineSnapshot,
  after: MachineSnapshot,
  seconds: number,
  { run }: Owners,
): Record<RunPart, number | null> {
  const commands = new Map(after.processes.map(({ pid, command }) => [pid, command]));
  const earlier = new Map(before.threads.map(({ pid, tid, waited_ns }) => [`${pid}/${tid}`, waited_ns]));
  const waited_ns = new Map<RunPart, number>();
  for (const { pid, tid, waited_ns: waited } of after.threads) {
    const part = findPart(pid, commands.get(pid) ?? '', run);
    const since = waited - (earlier.get(`${pid}/${tid}`) ?? 0);
    waited_ns.set(part, (waited_ns.get(part) ?? 0) + since);
  }
  const getDelay = (part: RunPart): number | null => {
    const ns = waited_ns.get(part);
    return ns === undefined || seconds <= 0 ? null : ns / 1e6 / seconds;
  };
  return Object.fromEntries(PARTS.map((part) => [part, getDelay(part)])) as Record<RunPart, number | null>;
}

function findPart(pid: number, command: string, run: number): RunPart {
  if (pid === run) return 'edge';
  if (/^mm-(?:link|delay|loss)/.test(command)) return 'link';
  return /^(?:chrom|headless_shell|content_shell)/.test(command) ? 'browser' : 'programs';
}

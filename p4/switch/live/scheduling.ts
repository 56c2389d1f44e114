/* What the switch's thread asks the kernel about itself: getrusage(2). */
import koffi from 'koffi';

const libc = koffi.load('libc.so.6');
const getrusage = libc.func('int getrusage(int who, void *usage)') as (
  who: number,
  usage: Uint8Array,
) => number;

const RUSAGE_THREAD = 1;
const RUSAGE_SIZE = 144;

/** CPU seconds of the calling thread: struct rusage begins with user and system time, each seconds and microseconds. */
export function threadCpu_s(): number {
  const usage = Buffer.alloc(RUSAGE_SIZE);
  getrusage(RUSAGE_THREAD, usage);
  const [user, userMicro, system, systemMicro] = [0, 8, 16, 24].map((at) => Number(usage.readBigInt64LE(at)));
  return (user ?? 0) + (system ?? 0) + ((userMicro ?? 0) + (systemMicro ?? 0)) / 1e6;
}

const sched_setscheduler = libc.func(
  'int sched_setscheduler(int pid, int policy, const void *parameters)',
) as (pid: number, policy: number, parameters: Uint8Array) => number;

const SCHED_FIFO = 1;

/**
 * Lets the calling thread run before all threads of ordinary priority whenever it has something to do, because on a busy
 * machine the switch would otherwise be late. Returns false where that is not allowed; root is allowed to.
 */
export function becomeRealTime(): boolean {
  const parameters = Buffer.alloc(4);
  parameters.writeInt32LE(1);
  return sched_setscheduler(0, SCHED_FIFO, parameters) === 0;
}

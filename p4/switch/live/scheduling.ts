/* CPU time and scheduling of the calling thread: getrusage(2) and sched_setscheduler(2). */
import koffi from 'koffi';

const libc = koffi.load('libc.so.6');
const getrusage = libc.func('int getrusage(int who, void *usage)') as (
  who: number,
  usage: Uint8Array,
) => number;

const RUSAGE_THREAD = 1;
const RUSAGE_SIZE = 144;

/**
 * CPU seconds of the calling thread. In struct rusage, the first two fields are user and system time, each as seconds
 * and microseconds.
 */
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
 * Gives the calling thread real-time priority, because the switch would otherwise be late on a busy machine. Returns
 * false if that is not permitted; root is permitted.
 */
export function becomeRealTime(): boolean {
  const parameters = Buffer.alloc(4);
  parameters.writeInt32LE(1);
  return sched_setscheduler(0, SCHED_FIFO, parameters) === 0;
}

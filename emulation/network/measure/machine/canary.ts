import { once } from 'node:events';
import { startThread } from '../../../../p4/start-thread.ts';

/** The canary's waits for a processor since it was last read. */
export interface CanaryWaits {
  /** The number of wake-ups. At each one, the canary waits for a processor as a thread of mahimahi's would. */
  readonly samples: number;
  /** The share of samples that waited longer than `LATE_MS`. */
  readonly late_pct: number;
  readonly mean_ms: number;
  readonly longest_ms: number;
}

export interface Canary {
  /**
   * Reads the waits since the last call, or since the start; null on a kernel without CONFIG_SCHED_INFO, or if there
   * was no wake-up.
   */
  read(): Promise<CanaryWaits | null>;
  close(): Promise<void>;
}

/** The length of a slot of mm-link, which is also the accepted error of an RTT. */
export const LATE_MS = 1;

/**
 * Starts a thread with the priority of mahimahi's shells that wakes up a hundred times per second, does nothing, and
 * reads in its own schedstat how long it waited for a processor. It uses about 0.3% of one processor.
 */
export async function startCanary(): Promise<Canary> {
  const thread = startThread(new URL('canary-thread.ts', import.meta.url), null);
  // A failure of the thread does not end the run; the run is then recorded without this figure.
  thread.on('error', () => undefined);
  await once(thread, 'message').catch(() => undefined);
  return {
    async read() {
      if (thread.threadId === -1) return null;
      const answer = Promise.race([once(thread, 'message'), once(thread, 'exit').then(() => [null])]);
      thread.postMessage('read');
      const [waits_ns] = (await answer) as [readonly number[] | null];
      return waits_ns === null ? null : summarizeWaits(waits_ns);
    },
    async close() {
      await thread.terminate();
    },
  };
}

export function summarizeWaits(waits_ns: readonly number[]): CanaryWaits | null {
  const samples = waits_ns.length;
  if (samples === 0) return null;
  const late = waits_ns.filter((wait) => wait > LATE_MS * 1e6).length;
  return {
    samples,
    late_pct: (late / samples) * 100,
    mean_ms: waits_ns.reduce((sum, wait) => sum + wait, 0) / samples / 1e6,
    longest_ms: waits_ns.reduce((most, wait) => Math.max(most, wait), 0) / 1e6,
  };
}

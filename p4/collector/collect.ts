/* Implements `npm run p4 -- collect`: writes postcards to a file until it is interrupted. */
import { once } from 'node:events';
import { startCollector } from './collector.ts';
import type { CollectorStats } from './collector.ts';
import { TimeSeries } from './time-series.ts';

/** Milliseconds between two progress lines, and the maximum time between two batches written to the file. */
const PROGRESS_INTERVAL_MS = 2000;

/**
 * Receives postcards and writes them to `path`. Throws if the file cannot be written; the file then ends with a
 * complete line.
 */
export async function collect(port: number, path: string, interrupted: AbortSignal): Promise<CollectorStats> {
  const failed = new AbortController();
  const orFail = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      failed.abort(error);
    }
  };
  // The port is opened first, so that a collector that cannot start does not empty an existing file.
  let series: TimeSeries | undefined;
  const collector = await startCollector({
    port,
    onPostcard: (postcard) => {
      if (!failed.signal.aborted) orFail(() => series?.add(postcard));
    },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const opened = new TimeSeries(path);
    series = opened;
    console.error(`receiving postcards at UDP port ${collector.port}, writing ${path}; interrupt to stop`);
    let before = 0;
    timer = setInterval(() => {
      orFail(() => opened.flush());
      const stats = collector.stats();
      const rate = Math.round(((stats.received - before) * 1000) / PROGRESS_INTERVAL_MS);
      before = stats.received;
      console.error(`${rate} postcards/s; ${summary(stats)}`);
    }, PROGRESS_INTERVAL_MS);
    const ends = [interrupted, failed.signal];
    if (!ends.some(({ aborted }) => aborted)) await Promise.race(ends.map((signal) => once(signal, 'abort')));
    const stats = await collector.close();
    orFail(() => opened.close());
    if (failed.signal.aborted) throw failed.signal.reason as Error;
    return stats;
  } finally {
    clearInterval(timer);
    await collector.close();
  }
}

export function summary({ received, malformed, lost, droppedByKernel }: CollectorStats): string {
  const wrong = malformed.length + malformed.version + malformed.reserved;
  const kinds = `${malformed.length} of another length, ${malformed.version} of another version, ${malformed.reserved} with reserved bits set`;
  return `${received} received, ${lost} lost (${droppedByKernel} because the socket's buffer was full), ${wrong} malformed${wrong > 0 ? ` (${kinds})` : ''}`;
}

/* `npm run p4 -- collect`: postcards into a file until it is interrupted. */
import { once } from 'node:events';
import { startCollector } from './collector.ts';
import type { CollectorStats } from './collector.ts';
import { TimeSeries } from './time-series.ts';

/** Milliseconds between two lines of progress, and the most between two batches. */
const PROGRESS = 2000;

/** Ends with a failure if the file cannot be written; what it then holds is whole lines. */
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
      const rate = Math.round(((stats.received - before) * 1000) / PROGRESS);
      before = stats.received;
      console.error(`${rate} postcards/s; ${summary(stats)}`);
    }, PROGRESS);
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
  return `${received} received, ${lost} lost (${droppedByKernel} for want of room in the socket), ${wrong} malformed${wrong > 0 ? ` (${kinds})` : ''}`;
}

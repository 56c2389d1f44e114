import type { ResourceTiming } from './resource-timing.ts';

/**
 * Whether the body came from the browser's cache, revalidated or not; its speed then says nothing about the network.
 * Undefined where resource timing tells nothing (another origin without Timing-Allow-Origin, whose sizes are 0, or a full
 * timing buffer).
 */
export function cameFromCache(entry: ResourceTiming | undefined): boolean | undefined {
  if (!entry?.encodedBodySize) return undefined;
  if (entry.transferSize >= entry.encodedBodySize) return false;
  return !workerAnswered(entry) || entry.deliveryType === 'cache-storage';
}

/**
 * Whether a service worker answered instead of the browser. `transferSize` is then 0, and Chromium's `deliveryType` is
 * `cache`, even if the worker fetched from the network; only answers from its Cache storage can be told apart
 * (`cache-storage`, Chromium). If the worker let the request pass, the browser sent it, and `requestStart` is later than
 * `fetchStart`.
 */
const workerAnswered = ({ workerStart, requestStart, fetchStart }: PerformanceResourceTiming): boolean =>
  workerStart > 0 && requestStart <= fetchStart;

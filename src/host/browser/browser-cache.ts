import type { ResourceTiming } from './resource-timing.ts';

/**
 * Whether the body came from the browser's cache, revalidated or not, so that its speed says nothing about the network.
 * Undefined if resource timing has no entry (a full timing buffer) or no sizes (another origin without Timing-Allow-Origin,
 * and in WebKit any other origin).
 */
export function isFromCache(entry: ResourceTiming | null | undefined): boolean | undefined {
  // WebKit 2.50 lists a response from the network before the page is told of its end, and one from its cache some milliseconds
  // after, whatever its origin. Chromium and Firefox list none that late.
  if (entry === null) return true;
  if (!entry?.encodedBodySize) return undefined;
  if (entry.transferSize >= entry.encodedBodySize) return false;
  return !isFromServiceWorker(entry) || entry.deliveryType === 'cache-storage';
}

/**
 * Whether a service worker answered instead of the browser. `transferSize` is then 0, and Chromium's `deliveryType` is
 * `cache`, even if the worker fetched from the network; only answers from its Cache storage can be told apart
 * (`cache-storage`, Chromium). If the worker let the request pass, the browser sent it, and `requestStart` is later than
 * `fetchStart`.
 */
const isFromServiceWorker = ({ workerStart, requestStart, fetchStart }: PerformanceResourceTiming): boolean =>
  workerStart > 0 && requestStart <= fetchStart;

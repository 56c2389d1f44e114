import type { ResourceTiming } from './resource-timing.ts';

/**
 * Whether the body came from the browser's cache, possibly after a revalidation. Undefined if this is unknown: resource
 * timing has no entry because its buffer is full, or no sizes because the response is from another origin without
 * Timing-Allow-Origin (in WebKit, from any other origin).
 */
export function isFromCache(entry: ResourceTiming | null | undefined): boolean | undefined {
  // An entry that comes late (null) means a cache hit: WebKit 2.50 adds the entry of a cached response some
  // milliseconds after the response's end, and all other entries before the end. Chromium and Firefox add no entry that
  // late.
  if (entry === null) return true;
  if (!entry?.encodedBodySize) return undefined;
  if (entry.transferSize >= entry.encodedBodySize) return false;
  return !isFromServiceWorker(entry) || entry.deliveryType === 'cache-storage';
}

/**
 * Whether a service worker answered instead of the browser. In this case, `transferSize` is 0 and Chromium's
 * `deliveryType` is `cache`, even if the worker fetched from the network. Only answers from the worker's Cache storage
 * are recognizable (`cache-storage`, in Chromium). If the worker did not answer, the browser sent the request, and
 * `requestStart` is later than `fetchStart`.
 */
const isFromServiceWorker = ({ workerStart, requestStart, fetchStart }: PerformanceResourceTiming): boolean =>
  workerStart > 0 && requestStart <= fetchStart;

import type { ResourceTiming } from './resource-timing.ts';

/**
 * Whether a body of `size_bytes` came from the browser's cache, revalidated or not, so that its speed says nothing about the
 * network. Undefined if resource timing has no entry (a full timing buffer) or no sizes (another origin without
 * Timing-Allow-Origin, and any other origin in WebKit).
 */
export function isFromCache(entry: ResourceTiming | undefined, size_bytes: number): boolean | undefined {
  // For a cached response, WebKit reports the size of no body and, as Resource Timing says, 300 bytes of headers.
  if (!entry?.encodedBodySize) return (entry?.transferSize ?? 0) > 0 && size_bytes > 0 ? true : undefined;
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

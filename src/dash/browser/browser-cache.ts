import type { ResourceTiming } from './resource-timing.ts';

/**
 * Did the browser have the body itself, with the server's word or without that it is still good? Then its speed says
 * nothing about the network. Where resource timing tells nothing (another origin without Timing-Allow-Origin, a full
 * timing buffer) the answer is no.
 */
export function cameFromCache(entry: ResourceTiming | undefined): boolean {
  if (entry === undefined || entry.transferSize >= entry.encodedBodySize) return false;
  return !isWorkersAnswer(entry) || entry.deliveryType === 'cache-storage';
}

/**
 * A service worker answered, and what it did for that is its own affair: `transferSize` is 0 and `deliveryType` of
 * Chromium `cache` even if it did no more than to fetch from the network. Only what it took from its Cache storage has
 * a name of its own (`cache-storage`, Chromium). The page itself has then sent no request; where it has, since the
 * worker let it pass, that took time.
 */
const isWorkersAnswer = ({ workerStart, requestStart, fetchStart }: PerformanceResourceTiming): boolean =>
  workerStart > 0 && requestStart <= fetchStart;

import { describe, expect, it } from 'vitest';
import { cameFromCache } from './browser-cache.ts';
import type { ResourceTiming } from './resource-timing.ts';

/** Of 300 kB, as Chromium 156 reports it; times are ms since the fetch began. */
const entry = (timing: object) =>
  ({ workerStart: 0, fetchStart: 1000, encodedBodySize: 300_000, ...timing }) as ResourceTiming;

describe('a response behind a service worker', () => {
  // In all of these `transferSize` is 0 but where the page itself has used the network.
  it.each([
    ['was fetched by the worker', { requestStart: 1000, transferSize: 0, deliveryType: 'cache' }, false],
    [
      "is the worker's own, from its Cache storage",
      { requestStart: 1000, transferSize: 0, deliveryType: 'cache-storage' },
      true,
    ],
    ['was let pass to the network', { requestStart: 1001.3, transferSize: 300_300, deliveryType: '' }, false],
    [
      "was let pass to the browser's cache",
      { requestStart: 1000.4, transferSize: 0, deliveryType: 'cache' },
      true,
    ],
  ])('%s', (_, timing, cached) => {
    expect(cameFromCache(entry({ workerStart: 999.8, ...timing }))).toBe(cached);
  });
});

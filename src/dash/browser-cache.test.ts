import { afterEach, describe, expect, it, vi } from 'vitest';
import { cameFromCache } from './browser-cache.ts';

afterEach(() => vi.restoreAllMocks());

const URL_OF_SEGMENT = 'http://127.0.0.1:8000/film/v3300/1.m4s';
/** Of 300 kB, as Chromium 156 reports it; times are ms since the fetch began. */
const entry = (timing: object) => ({
  name: URL_OF_SEGMENT,
  startTime: 1000,
  workerStart: 0,
  fetchStart: 1000,
  encodedBodySize: 300_000,
  ...timing,
});

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
    const entries = [entry({ workerStart: 999.8, ...timing })] as unknown as PerformanceEntry[];
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue(entries);
    expect(cameFromCache(URL_OF_SEGMENT, 999)).toBe(cached);
  });
});

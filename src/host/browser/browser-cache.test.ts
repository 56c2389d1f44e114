import { describe, expect, it } from 'vitest';
import { isFromCache } from './browser-cache.ts';
import type { ResourceTiming } from './resource-timing.ts';

/** The timing of a response of 300 kB, in the form of Chromium 156. Times are in ms, and the fetch starts at 1000. */
const entry = (timing: object) =>
  ({ workerStart: 0, fetchStart: 1000, encodedBodySize: 300_000, ...timing }) as ResourceTiming;

describe('a response behind a service worker', () => {
  // `transferSize` is 0 unless the browser itself used the network.
  it.each([
    ['was fetched by the worker', { requestStart: 1000, transferSize: 0, deliveryType: 'cache' }, false],
    [
      "is the worker's own, from its Cache storage",
      { requestStart: 1000, transferSize: 0, deliveryType: 'cache-storage' },
      true,
    ],
    [
      'came from the network, past the worker',
      { requestStart: 1001.3, transferSize: 300_300, deliveryType: '' },
      false,
    ],
    [
      "came from the browser's cache, past the worker",
      { requestStart: 1000.4, transferSize: 0, deliveryType: 'cache' },
      true,
    ],
  ])('%s', (_, timing, cached) => {
    expect(isFromCache(entry({ workerStart: 999.8, ...timing }))).toBe(cached);
  });
});

it('treats a response whose entry comes late as cached, as in WebKit', () => {
  expect(isFromCache(null)).toBe(true);
});

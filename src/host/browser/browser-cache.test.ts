import { describe, expect, it } from 'vitest';
import { isFromCache } from './browser-cache.ts';
import type { ResourceTiming } from './resource-timing.ts';

/** The timing of a response of 300 kB, as Chromium 156 reports it; times in ms, the fetch starts at 1000. */
const entry = (timing: object) =>
  ({ workerStart: 0, fetchStart: 1000, encodedBodySize: 300_000, ...timing }) as ResourceTiming;

describe('a response behind a service worker', () => {
  // `transferSize` is 0 unless the browser itself, and not the worker, used the network.
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

it('treats a response as cached until its entry appears, as in WebKit', () => {
  expect(isFromCache(null)).toBe(true);
});

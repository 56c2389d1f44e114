import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheFolder, cacheKey } from './cache.ts';

test('the environment determines the cache folder', () => {
  expect(cacheFolder({ DASHJS_SAMMY_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
  expect(cacheFolder({ XDG_CACHE_HOME: '/b' })).toBe(join('/b', 'dashjs-sammy'));
  expect(cacheFolder({})).toMatch(/\.cache.dashjs-sammy$/);
});

test('a key depends on every value, but not on the order of fields', () => {
  const key = cacheKey({ source: 'x', ladder: [{ id: 'a', rate: 1 }] });
  expect(cacheKey({ ladder: [{ rate: 1, id: 'a' }], source: 'x' })).toBe(key);
  expect(cacheKey({ source: 'x', ladder: [{ id: 'a', rate: 2 }] })).not.toBe(key);
  expect(cacheKey({ source: 'y', ladder: [{ id: 'a', rate: 1 }] })).not.toBe(key);
  expect(key).toMatch(/^[0-9a-f]{12}$/);
});

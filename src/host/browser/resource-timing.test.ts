import { afterEach, describe, expect, it, vi } from 'vitest';
import { findTiming } from './resource-timing.ts';

const entry = (name: string, startTime: number) => ({ name, startTime, decodedBodySize: 1000 });

/**
 * Returns whether the timing of `name`, requested at `since`, is found, late, or unknown if the browser has the entries
 * `listed`.
 */
function find(name: string, since: number, ...listed: ReturnType<typeof entry>[]): string {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(listed as never);
  const timing = findTiming(name, since, 1000);
  return timing === null ? 'yet to come' : timing === undefined ? 'unknown' : 'found';
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the timing of a request', () => {
  it('is late if there is no entry and the previous entry was late, too', () => {
    expect(find('/1', 100)).toBe('unknown');
    expect(find('/2', 200, entry('/1', 100))).toBe('yet to come');
    expect(find('/3', 300, entry('/1', 100), entry('/2', 200))).toBe('yet to come');
    expect(find('/4', 400, entry('/3', 300), entry('/4', 400))).toBe('found');
  });

  it('is unknown if the previous entry never came: the buffer is full, or the player changed the URL', () => {
    const full = [entry('/1', 100), entry('/2', 200)];
    expect(find('/2', 200, ...full)).toBe('found');
    find('/3', 300, ...full);
    expect(find('/4', 400, ...full)).toBe('unknown');
    expect(find('/5', 500, ...full)).toBe('unknown');
  });

  it('is unknown for a failed request, which does not affect later requests', () => {
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry('/1', 110)] as never);
    expect(findTiming('/1', 200, 0, false)).toBeUndefined();
    // The same URL was requested again, and that request has an entry.
    expect(find('/2', 300, entry('/1', 250))).toBe('unknown');
  });

  it('is unknown if several requests match', () => {
    expect(find('/1', 100, entry('/1', 100), entry('/1', 101))).toBe('unknown');
  });
});

import { describe, expect, it } from 'vitest';
import { BITRATES_KBPS, ladder as five, createLadder } from '../testing/session.ts';
import { kbps } from '../units.ts';
import { makeLadder, topRung, rungsUpTo } from './ladder.ts';

describe('makeLadder', () => {
  it("keeps the player's order and converts bit/s to kbit/s", () => {
    const ladder = makeLadder([
      { id: 'sd', bandwidth: 300_000 },
      { id: 'md', bandwidth: 1_200_500 },
      { id: 'hd', bandwidth: 3_300_000 },
    ]);
    expect(ladder).toEqual([
      { id: 'sd', bitrate_kbps: 300 },
      { id: 'md', bitrate_kbps: 1200.5 },
      { id: 'hd', bitrate_kbps: 3300 },
    ]);
    expect(ladder && topRung(ladder).id).toBe('hd');
  });

  it.each([
    ['VP9 of 2.1 Mbit/s is better than H.264 of 3.3', ['h300', 'h2500', 'h3300', 'v2100'], ['h300', 'v2100']],
    ['the ranking is the other way round', ['3300', '2100', '300'], ['300']],
    ['equal ones cost the same', ['300', '700', '700'], ['300', '700', '700']],
  ])('has no rung with a higher bitrate than a better rung: %s', (_, given, left) => {
    const ladder = makeLadder(given.map((id) => ({ id, bandwidth: Number(id.replace(/\D/, '')) * 1000 })));
    expect(ladder?.map(({ id }) => id)).toEqual(left);
  });

  it('creates a ladder with one rung', () => {
    const ladder = makeLadder([{ id: 'only', bandwidth: 128_000 }]);
    expect(ladder && topRung(ladder)).toEqual({ id: 'only', bitrate_kbps: 128 });
  });

  it('excludes representations without a usable bandwidth', () => {
    const unusable = [0, -1, Number.NaN, Infinity].map((bandwidth, index) => ({ id: `${index}`, bandwidth }));
    expect(makeLadder([...unusable, { id: 'good', bandwidth: 1000 }])).toHaveLength(1);
    expect(makeLadder(unusable)).toBeUndefined();
    expect(makeLadder([])).toBeUndefined();
  });

  it('does not modify the given list', () => {
    const given = Object.freeze([
      { id: 'b', bandwidth: 1 },
      { id: 'a', bandwidth: 2 },
    ]);
    expect(makeLadder(given)).toHaveLength(2);
    expect(given[0]?.id).toBe('b');
  });
});

describe('upTo', () => {
  const bitrates = (ceiling: number) =>
    rungsUpTo(five, kbps(ceiling)).map(({ bitrate_kbps }) => bitrate_kbps);
  it.each([
    [Infinity, BITRATES_KBPS],
    [2300, [300, 700, 1500, 2300]],
    [2299.9, [300, 700, 1500]],
    // The lowest rung is kept, because there would be no video without it.
    [1, [300]],
  ])('%d kbit/s keeps %j', (ceiling, left) => expect(bitrates(ceiling)).toEqual(left));

  it('keeps rungs of the same bitrate together', () => {
    expect(rungsUpTo(createLadder([300, 700, 700, 1500]), kbps(700))).toHaveLength(3);
  });
});

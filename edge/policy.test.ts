import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kbps } from '../src/units.ts';
import { FLOOR_KEY, PLUGIN_KEY, roundUpToRtp, SUM_KEY } from '../src/wire/rtp.ts';
import { CMCD_HEADERS } from './cmcd.ts';
import { completeVerdict, decidePace, paceLimits, unpaced } from './policy.ts';

const request = (query = '', headers: Record<string, string> = {}) => ({
  url: `http://edge/video/1.m4s${query}`,
  headers: new Headers(headers),
});

describe('decidePace', () => {
  it('returns the requested and the granted pace', () => {
    const limits = paceLimits({ floor_kbps: 4000 });
    expect(decidePace(request('?CMCD=rtp%3D500'), limits)).toEqual({
      pace: 4000,
      reason: 'floor',
      asked: 500,
      connectionPace: null,
      connectionReason: 'shared-connection',
      floor: null,
    });
  });

  it('keeps a requested pace that equals a limit', () => {
    const limits = paceLimits({ floor_kbps: 5000, ceiling_kbps: 5000 });
    const cmcd = encodeURIComponent(`rtp=5000,${PLUGIN_KEY},${SUM_KEY}=5000`);
    expect(decidePace(request(`?CMCD=${cmcd}`), limits)).toEqual({
      ...{ pace: 5000, reason: 'requested', asked: 5000 },
      ...{ connectionPace: 5000, connectionReason: 'requested', floor: null },
    });
  });

  it.each<[what: string, cmcd: string, floor: number | null]>([
    ['as it is', `rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}=3000`, 3000],
    ['at most the pace', `rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}=9000`, 5000],
    ["at least the operator's", `rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}=100`, 1000],
    ['none of another player', `rtp=5000,${FLOOR_KEY}=3000`, null],
    ['none without a pace', `${PLUGIN_KEY},${FLOOR_KEY}=3000`, null],
    ['none where there are two', `rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}=3000,${FLOOR_KEY}=4000`, null],
    ['none that is no rate', `rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}=-3`, null],
    ['none that is text', `rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}="x"`, null],
  ])("returns the player's floor: %s", (_, cmcd, floor) => {
    const limits = paceLimits({ floor_kbps: 1000 });
    expect(decidePace(request(`?CMCD=${encodeURIComponent(cmcd)}`), limits).floor).toBe(floor);
  });

  // Payloads for the parser: shuffled fragments of CMCD's syntax, and arbitrary strings.
  const syntax = fc.constantFrom(
    ...('rtp=,;()"\\:?@*-.1 \t\n%&+#'.match(/./gs) ?? []),
    'rtp=5000',
    'rtp',
    PLUGIN_KEY,
    `${SUM_KEY}=6000`,
    `${FLOOR_KEY}=3000`,
    'br=(1;v',
    'sid="',
    '__proto__',
    'constructor',
    '\0',
    'é',
    '\ud800',
  );
  const mangled = fc.oneof(
    fc.array(syntax, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  const asHeader = (text: string) => text.replace(/[^\t\x20-\x7e]/g, '');

  it('never throws, and returns a pace within the limits or none', () => {
    fc.assert(
      fc.property(
        mangled,
        mangled,
        fc.constantFrom(...CMCD_HEADERS),
        fc.boolean(),
        (query, header, name, encoded) => {
          const limits = paceLimits({ floor_kbps: 300, ceiling_kbps: 8000 });
          const raw = encoded ? new URLSearchParams({ CMCD: query }).toString() : `CMCD=${query}`;
          const decided = decidePace(request(`?${raw}`, { [name]: asHeader(header) }), limits);
          const { pace, reason, connectionPace } = decided;
          expect(pace === null || (pace >= 300 && pace <= 8000)).toBe(true);
          expect(pace === null).toBe(!['requested', 'foreign-player', 'floor', 'ceiling'].includes(reason));
          expect(
            connectionPace === null || (connectionPace >= (pace ?? Infinity) && connectionPace <= 8000),
          ).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('gives the next request its own pace, whatever the previous one had', () => {
    const ceiling = kbps(50_000);
    const limits = paceLimits({ ceiling_kbps: ceiling });
    fc.assert(
      fc.property(
        fc.array(mangled, { maxLength: 5 }),
        fc.integer({ min: 1, max: 500 }),
        (before, hundreds) => {
          const pace = kbps(hundreds * 100);
          for (const text of before)
            decidePace(request(`?${new URLSearchParams({ CMCD: text }).toString()}`), limits);
          const own = encodeURIComponent(`${PLUGIN_KEY},rtp=${roundUpToRtp(pace)}`);
          expect(decidePace(request(`?CMCD=${own}`), limits).pace).toBe(pace);
          expect(decidePace(request(), limits)).toMatchObject({ pace: null, reason: 'no-rtp', asked: null });
          // Object.prototype, which all objects share, has not been changed.
          expect(Object.hasOwn(Object.prototype, 'rtp')).toBe(false);
        },
      ),
    );
  });
});

describe('paceLimits', () => {
  it('has no limits by default, except for foreign players', () =>
    expect(paceLimits()).toEqual({ switchedOff: false, pacesForeign: true, foreignFloor: 3000 }));

  it.each([
    [{ floor_kbps: 0 }, /^floor_kbps is 0; expected kbit\/s above 0/],
    [{ floor_kbps: NaN }, /^floor_kbps is NaN; expected/],
    [{ ceiling_kbps: -1 }, /^ceiling_kbps is -1; expected/],
    [{ ceiling_kbps: Infinity }, /^ceiling_kbps is Infinity; expected .* at most 100000000$/],
    [{ foreign_floor_kbps: 0 }, /^foreign_floor_kbps is 0; expected kbit\/s above 0/],
    [{ floor_kbps: 2, ceiling_kbps: 1 }, /^floor_kbps is 2; expected at most ceiling_kbps, which is 1$/],
  ])('refuses %j', (options, message) => {
    expect(() => paceLimits(options)).toThrow(message);
  });
});

describe('paceLimits', () => {
  it('has only the limits that are set', () => {
    const rest = { switchedOff: false, pacesForeign: true, foreignFloor: paceLimits().foreignFloor };
    expect(paceLimits()).toStrictEqual(rest);
    expect(paceLimits({ floor_kbps: 4000 })).toStrictEqual({ floor: 4000, ...rest });
    expect(paceLimits({ ceiling_kbps: 4000 })).toStrictEqual({ ceiling: 4000, ...rest });
  });

  it('accepts the highest rate of a CMCD rtp and refuses more, and a floor above the ceiling', () => {
    expect(paceLimits({ ceiling_kbps: 100_000_000 }).ceiling).toBe(100_000_000);
    expect(() => paceLimits({ ceiling_kbps: 100_000_001 })).toThrow('ceiling_kbps is 100000001');
    expect(() => paceLimits({ floor_kbps: 4001, ceiling_kbps: 4000 })).toThrow('floor_kbps is 4001');
  });
});

it('reports the requested pace while it is switched off', () => {
  const limits = paceLimits({ switchedOff: true });
  expect(decidePace(request('?CMCD=rtp%3D5000'), limits)).toEqual(unpaced('switched-off', kbps(5000)));
  expect(decidePace(request('?CMCD=rtp%3Dx'), limits)).toEqual(unpaced('switched-off', null));
  expect(decidePace(request(), limits)).toEqual(unpaced('switched-off', null));
});

describe('completeVerdict', () => {
  const limits = paceLimits();
  const cmcd = encodeURIComponent(`rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}=3000`);
  const withFloor = decidePace(request(`?CMCD=${cmcd}`), limits);
  const without = decidePace(request('?CMCD=rtp%3D5000'), limits);

  it('yields above the floor if the machine can', () => {
    expect(completeVerdict(withFloor, { limits, yieldControl: 'yield1' })).toEqual({
      ...withFloor,
      congestionControl: 'yield1',
      floor: 3000,
    });
  });

  it('has no floor if the machine cannot yield, or the player sends none', () => {
    expect(completeVerdict(withFloor, { limits })).toEqual({
      ...withFloor,
      congestionControl: null,
      floor: null,
    });
    expect(completeVerdict(without, { limits, yieldControl: 'yield1' })).toEqual({
      ...without,
      congestionControl: null,
      floor: null,
    });
  });
});

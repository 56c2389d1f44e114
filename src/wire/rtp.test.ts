import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kbps } from '../units.ts';
import {
  CHANGE_KEY,
  CHANGE_OFFER,
  CHANGE_PATH,
  FLOOR_KEY,
  parseRtp,
  PLUGIN_KEY,
  roundUpToRtp,
  RTP_MAX_KBPS,
  SUM_KEY,
} from './rtp.ts';

describe('roundUpToRtp', () => {
  it.each([
    [9900, 9900],
    [9801, 9900],
    [9899.999, 9900],
    [9900.001, 10000],
    // The lowest value of rtp is 100.
    [1, 100],
    [0, 100],
    [-5, 100],
    // 1.1 * 3000 is 3300.0000000000005 in binary: a rounding error does not add a step.
    [2.8 * 3500, 9800],
    [1.1 * 3000, 3300],
  ])('%d kbit/s becomes %d', (asked, expected) => {
    expect(roundUpToRtp(kbps(asked))).toBe(expected);
  });

  it('is at least the pace, and less than a step above, up to 100 Gbit/s', () => {
    fc.assert(
      fc.property(fc.double({ min: 100, max: 1e8, noNaN: true }), (pace) => {
        const rounded = roundUpToRtp(kbps(pace));
        expect(rounded % 100).toBe(0);
        expect(rounded).toBeGreaterThanOrEqual(pace - 1e-6);
        expect(rounded - pace).toBeLessThan(100);
      }),
    );
  });
});

describe('roundUpToRtp and parseRtp', () => {
  it('are the identity on multiples of 100 (CTA-5004 Table 1)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: RTP_MAX_KBPS / 100 }), (hundreds) => {
        expect(parseRtp(String(roundUpToRtp(kbps(hundreds * 100))))).toEqual({ pace: hundreds * 100 });
      }),
    );
  });

  it('are compatible for any pace', () => {
    const anyPace = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(Infinity, 1e21, 100_000_050));
    fc.assert(
      fc.property(anyPace, (pace) => {
        expect(parseRtp(String(roundUpToRtp(kbps(pace))))).toHaveProperty('pace');
      }),
    );
  });

  it.each([
    ['', 'not-a-number'],
    ['NaN', 'not-a-number'],
    ['Infinity', 'not-a-number'],
    ['1e99', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['+100', 'not-a-number'],
    [' 100', 'not-a-number'],
    ['100\n', 'not-a-number'],
    ['1,000', 'not-a-number'],
    ['100.', 'not-a-number'],
    ['١٠٠', 'not-a-number'],
    ['"100"', 'not-a-number'],
    ['100.5', 'not-an-integer'],
    ['0', 'not-positive'],
    ['-0', 'not-positive'],
    ['-100', 'not-positive'],
    ['-0.5', 'not-positive'],
    ['100000001', 'absurdly-large'],
    ['9999999999999999', 'absurdly-large'],
    ['1'.repeat(17), 'too-long'],
    ['1'.repeat(65536), 'too-long'],
  ])('%j is refused as %s', (text, refused) => {
    expect(parseRtp(text)).toEqual({ refused });
  });

  it.each([
    ['100', 100],
    ['1050', 1050], // Accepted although it is not a multiple of 100, because the sender has to round.
    ['007', 7],
    ['100.0', 100],
    ['100000000', 100_000_000],
  ])('%j means %d kbit/s', (text, pace) => {
    expect(parseRtp(text)).toEqual({ pace });
  });

  it('parseRtp never throws, and returns only positive integers up to 100 Gbit/s', () => {
    const digitsMostly = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.-+eE')) });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units)),
          digitsMostly,
        ),
        (text) => {
          const parsed = parseRtp(text);
          if ('pace' in parsed) {
            expect(Number.isInteger(parsed.pace)).toBe(true);
            expect(parsed.pace).toBeGreaterThan(0);
            expect(parsed.pace).toBeLessThanOrEqual(RTP_MAX_KBPS);
          }
        },
      ),
    );
  });
});

it('has the key names that edges of other versions use', () => {
  expect([PLUGIN_KEY, SUM_KEY, FLOOR_KEY, CHANGE_KEY, CHANGE_PATH, CHANGE_OFFER]).toEqual([
    'io.github.dashjs-sammy',
    'io.github.dashjs-sammy-sum',
    'io.github.dashjs-sammy-floor',
    'io.github.dashjs-sammy-change',
    '/.sammy/v1/pace',
    'pace-change',
  ]);
});

it('refuses a fraction of any length as not an integer', () => {
  for (const text of ['5000.5', '5000.25', '5000.125'])
    expect(parseRtp(text)).toEqual({ refused: 'not-an-integer' });
  expect(parseRtp('5000.00')).toEqual({ pace: 5000 });
});

import { describe, expect, it } from 'vitest';
import { asRtp } from './pace.ts';
import { kbps } from '../units.ts';

const none = kbps(Infinity);

describe('asRtp', () => {
  it('rounds up to a multiple of 100', () => {
    expect(asRtp({ pace: kbps(3301), reason: 'mine' }, none)).toEqual({ pace: 3400, reason: 'mine' });
  });

  it('stays below the ceiling, in steps of 100, with this reason', () => {
    const lowered = { pace: 3200, reason: 'lowered-to-ceiling', multiplier: 2 };
    expect(asRtp({ pace: kbps(3301), reason: 'mine', multiplier: 2 }, kbps(3299))).toEqual(lowered);
    expect(asRtp({ pace: kbps(3300), reason: 'mine' }, kbps(3300)).reason).toBe('mine');
  });

  it.each([null, 0, -1, Number.NaN, undefined])('requests no pace if a policy returns %s', (pace) => {
    expect(asRtp({ pace: pace as never, reason: 'mine' }, kbps(5000))).toEqual({
      pace: null,
      reason: 'mine',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../src/options.ts';
import { armFromTuned } from '../../player/arms/tuned.ts';
import { makePointArm, DEFAULT_POINTS, SPACE, type Point } from './space.ts';

/** The points at the low or high end of all ranges, for each kind of pace. */
const ends = (end: 'low' | 'high', pace: string): Point =>
  Object.fromEntries(
    SPACE.filter((each) => !('when' in each) || each.when.pace === pace).map((each) => [
      each.name,
      'choices' in each ? pace : each[end],
    ]),
  );

describe('the space', () => {
  it.each([
    ends('low', 'algorithm-1'),
    ends('high', 'algorithm-1'),
    ends('low', 'smooth'),
    ends('high', 'smooth'),
    DEFAULT_POINTS.default,
    DEFAULT_POINTS['default-smooth'],
  ])('has only valid options of the plug-in: %j', (point) => {
    const arm = armFromTuned(makePointArm(point, 'tried', ''));
    expect(() => resolveOptions(arm.sammy)).not.toThrow();
  });

  it('contains the defaults, with all their parameters', () => {
    for (const point of Object.values(DEFAULT_POINTS)) {
      expect(Object.keys(point).sort()).toEqual(Object.keys(ends('low', String(point.pace))).sort());
      for (const parameter of SPACE) {
        const value = point[parameter.name];
        if ('choices' in parameter || value === undefined) continue;
        expect(value).toBeGreaterThanOrEqual(parameter.low);
        expect(value).toBeLessThanOrEqual(parameter.high);
      }
    }
  });

  it('tries points with three significant digits, as they are reported', () => {
    const arm = makePointArm({ pace: 'algorithm-1', beta: 0.81234, c0: 2.3456 }, 'a', '');
    expect(arm).toEqual({ name: 'a', about: '', base: 'sammy-paper', options: { beta: 0.812, c0: 2.35 } });
    const planned = makePointArm({ pace: 'smooth', beta: 0.8, reserve_s: 12.345 }, 'a', '');
    expect(planned).toMatchObject({ options: { beta: 0.8 }, smooth: { reserve_s: 12.3 } });
  });
});

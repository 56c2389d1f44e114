import { describe, expect, it } from 'vitest';
import { makeBars, OURS_DIGITS, valueWords } from './bars.ts';

const row = (paper: Parameters<typeof valueWords>[0], ours: typeof paper, unit = '%') => ({
  what: 'it',
  unit,
  paper,
  ours,
});

describe('the bars of an exhibit', () => {
  it('start at zero on one axis, with the interval at their ends', () => {
    expect(makeBars(row(-50, [-100, -125, -75]))).toEqual({
      paper: { left: 60, width: 40, zero: 100, interval: null },
      ours: { left: 20, width: 80, zero: 100, interval: { left: 0, width: 40 } },
    });
    expect(makeBars(row(100, -100))).toMatchObject({
      paper: { left: 50, width: 50, zero: 50 },
      ours: { left: 0, width: 50, zero: 50 },
    });
    expect(makeBars(row(0, 0))).toMatchObject({ paper: { width: 0 }, ours: { width: 0 } });
  });

  it('exist only if both values are numbers', () => {
    expect(makeBars(row('less', -5))).toBeNull();
    expect(makeBars(row(-5, null))).toBeNull();
  });

  it('have a description', () => {
    const words = (value: Parameters<typeof valueWords>[0], unit: string) =>
      valueWords(value, row(null, null, unit));
    expect(words([-61, -61.8, -60.2], '%')).toBe('−61% (−61.8\u{a0}to\u{a0}−60.2)');
    expect(valueWords([-0.4645, -0.52, -0.41], row(null, null, 'dB'), OURS_DIGITS)).toBe(
      '−0.465 dB (−0.52\u{a0}to\u{a0}−0.41)',
    );
    expect(words(1709, '%')).toBe('+1,709%');
    expect(words(4.8, 'flows')).toBe('4.8 flows');
    expect(words(-0.5, '')).toBe('−0.5');
    expect(words('more than -80', '%')).toBe('more than −80');
    expect(words(null, '%')).toBe('–');
    expect(valueWords(99.2, { ...row(100, 99.2), level: true })).toBe('99.2%');
  });
});

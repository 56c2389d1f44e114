import { describe, expect, it } from 'vitest';
import { chooseThree, findFront, isHarmless } from './front.ts';

const tried = (throughput_pct: number, stall_points: number, ssim_db: number) => ({
  objectives: { throughput_pct, stall_points, ssim_db },
});

describe('findFront', () => {
  it('omits points that another point dominates', () => {
    const lean = tried(-80, 0.4, -0.05);
    const safe = tried(-50, 0, 0);
    const worse = tried(-50, 0.1, 0);
    const worst = tried(-40, 0.5, -0.2);
    expect(findFront([worse, lean, worst, safe])).toEqual([lean, safe]);
  });

  it('keeps equal points', () => {
    expect(findFront([tried(1, 1, 1), tried(1, 1, 1)])).toHaveLength(2);
    expect(findFront([])).toEqual([]);
  });
});

describe('isHarmless', () => {
  it.each([
    [tried(9, 0.5, -0.1), true],
    [tried(-90, 0.51, 0), false],
    [tried(-90, 0, -0.11), false],
  ])('compares with the margins: %j', ({ objectives }, expected) => {
    expect(isHarmless(objectives)).toBe(expected);
  });
});

describe('chooseThree', () => {
  const lean = tried(-80, 0.4, -0.05);
  const middle = tried(-70, 0.1, 0.1);
  const picture = tried(-40, 0, 0.2);
  const harmful = tried(-95, 9, -3);

  it('chooses both ends and the middle of the harmless points', () => {
    expect(chooseThree([middle, harmful, picture, lean], undefined)).toEqual({
      lean,
      balanced: middle,
      picture,
    });
  });

  it('chooses among points as good as the default by half of the margins, if there are three', () => {
    const better = [tried(-60, 0.25, -0.04), tried(-50, 0, 0.2), tried(-45, -0.1, 0.1)] as const;
    const [leanest, best, other] = better;
    const tooSlow = tried(-55, 0.26, 0.3);
    expect(
      chooseThree([lean, tooSlow, ...better], { throughput_pct: -30, stall_points: 0, ssim_db: 0 }),
    ).toEqual({ lean: leanest, picture: best, balanced: other });
  });

  it('chooses harmful points if there are too few others, each once', () => {
    expect(chooseThree([harmful, lean], undefined)).toEqual({ lean: harmful, picture: lean });
    expect(chooseThree([], undefined)).toEqual({});
  });
});

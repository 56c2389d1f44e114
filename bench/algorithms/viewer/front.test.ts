import { expect, it } from 'vitest';
import { armNamed } from '../../../emulation/player/arms/index.ts';
import { frontPoint, STOCK } from './front.ts';
import { SHOWN } from './write-front.ts';

const outcome = (stall_points: number) => ({ stall_points, ssim_db: 10 + stall_points, experience_db: 0 });

it("adds the arm's difference from stock, at the places that it played, to stock's mean over all places", () => {
  // By hand: stock has 1, 2 and 6 percentage points, 3 on average. The planner has 0.5 less at the first place and 1.5
  // less at the second.
  const found = [
    new Map([
      [STOCK, outcome(1)],
      ['planner', outcome(0.5)],
    ]),
    new Map([
      [STOCK, outcome(2)],
      ['planner', outcome(0.5)],
    ]),
    new Map([[STOCK, outcome(6)]]),
  ];
  expect(frontPoint(found, 'planner')).toEqual({ stall_points: 2, ssim_db: 12, experience_db: 0 });
  expect(frontPoint(found, STOCK)).toEqual({ stall_points: 3, ssim_db: 13, experience_db: 0 });
});

it.each(Object.keys(SHOWN))('shows an arm that can be played: %s', (arm) => {
  expect(armNamed(arm).name).toBe(arm);
});

import { describe, expect, it } from 'vitest';
import { ABR_OPTIONS, createAbrState } from '../../../src/testing/abr-state.ts';
import { seconds } from '../../../src/units.ts';
import { EXPLORED, exploring } from './exploring.ts';
import { lowestRung } from './lowest.ts';

describe('exploring', () => {
  const state = createAbrState();
  const choices = (share?: number) => {
    const [previous] = state.ladder;
    const session = exploring(lowestRung, share).session(ABR_OPTIONS);
    return Array.from({ length: 5000 }, (_, segment) =>
      session.choose({ ...state, previous, nextSegmentAt: seconds(2 * segment) }),
    );
  };

  it('draws a rung for every other segment, and repeats the choice for the same state', () => {
    const explored = choices().filter(({ reason }) => reason === 'explored');
    // Expected are 2500 of 5000 segments, equally many for each rung. 175 is five standard deviations of √(5000/4) = 35.
    expect(Math.abs(explored.length - 5000 * EXPLORED)).toBeLessThan(175);
    const least = (0.8 * explored.length) / state.ladder.length;
    for (const rung of state.ladder)
      expect(explored.filter((each) => each.rung === rung).length).toBeGreaterThan(least);
    expect(choices()).toEqual(choices());
    const others = choices().filter(({ reason }) => reason !== 'explored');
    expect(new Set(others.map(({ rung }) => rung))).toEqual(new Set([state.ladder[0]]));
  });

  it('explores another share if requested', () => {
    const explored = (share: number) => choices(share).filter(({ reason }) => reason === 'explored').length;
    // Expected is a tenth of 5000 segments. 105 is five standard deviations of √(5000 × 0.1 × 0.9) = 21.
    expect(Math.abs(explored(0.1) - 500)).toBeLessThan(105);
    expect(explored(0)).toBe(0);
  });

  it('starts like its base algorithm', () => {
    const session = exploring(lowestRung).session(ABR_OPTIONS);
    for (let segment = 0; segment < 100; segment++)
      expect(session.choose({ ...state, nextSegmentAt: seconds(segment) }).reason).toBe('always');
  });
});

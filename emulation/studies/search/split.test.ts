import { describe, expect, it } from 'vitest';
import { splitByRank } from './split.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

describe('splitByRank', () => {
  it('tries on even ranks by name, counted from 1, and judges on odd ones', () => {
    expect(splitByRank(named('c', 'a', 'e', 'b', 'd'))).toEqual([named('b', 'd'), named('a', 'c', 'e')]);
  });

  it('refuses to judge by what it was tried on', () => {
    expect(() => splitByRank(named('a'))).toThrow('search: one trace only');
  });
});

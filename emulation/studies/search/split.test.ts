import { describe, expect, it } from 'vitest';
import { splitByRank } from './split.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

describe('splitByRank', () => {
  it('trains on even ranks by name, counted from 1, and judges on odd ranks', () => {
    expect(splitByRank(named('c', 'a', 'e', 'b', 'd'))).toEqual([named('b', 'd'), named('a', 'c', 'e')]);
  });

  it('refuses to judge on training traces', () => {
    expect(() => splitByRank(named('a'))).toThrow('search needs at least two traces');
  });
});

import { describe, expect, it } from 'vitest';
import { conditionLooks, TREATMENT_LOOKS, type Look } from './palette.ts';

const pair = ({ color, symbol }: Look) => `${color} ${symbol}`;
const names = Array.from({ length: 30 }, (_, index) => `arm-${index}`);

describe('looks', () => {
  it('differ for thirty conditions', () => {
    expect(new Set(conditionLooks(names).map(pair)).size).toBe(30);
  });

  it('differ for as many conditions as there are looks', () => {
    const all = conditionLooks(Array.from({ length: 1 + TREATMENT_LOOKS }, (_, index) => `c${index}`));
    expect(new Set(all.map(pair)).size).toBe(all.length);
  });

  it('differ in color and in symbol for seven consecutive treatments', () => {
    const treatments = conditionLooks(names).slice(1);
    for (let from = 0; from < treatments.length; from += 7) {
      const row = treatments.slice(from, from + 7);
      expect(new Set(row.map(({ color }) => color)).size).toBe(row.length);
      expect(new Set(row.map(({ symbol }) => symbol)).size).toBe(row.length);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { arms as known } from '../../arms/index.ts';
import { armLook, armLooks, conditionLooks, TREATMENT_LOOKS, type Look } from './palette.ts';

const pair = ({ color, symbol }: Look) => `${color} ${symbol}`;
const names = Array.from({ length: 30 }, (_, index) => `arm-${index}`);

describe('looks', () => {
  it('are all different, for thirty arms that nobody lists and for as many conditions', () => {
    expect(new Set(armLooks({ arms: names }).map(pair)).size).toBe(30);
    expect(new Set(conditionLooks(names).map(pair)).size).toBe(30);
  });

  it('are all different where listed arms, the usual control among them, meet others', () => {
    const arms = ['mine', ...known.map(({ name }) => name), ...names.slice(0, 20)];
    expect(new Set(armLooks({ arms }).map(pair)).size).toBe(arms.length);
  });

  it('are all different as long as there are any', () => {
    const all = conditionLooks(Array.from({ length: 1 + TREATMENT_LOOKS }, (_, index) => `c${index}`));
    expect(new Set(all.map(pair)).size).toBe(all.length);
  });

  it('differ in color and in symbol among seven in a row', () => {
    const treatments = conditionLooks(names).slice(1);
    for (let from = 0; from < treatments.length; from += 7) {
      const row = treatments.slice(from, from + 7);
      expect(new Set(row.map(({ color }) => color)).size).toBe(row.length);
      expect(new Set(row.map(({ symbol }) => symbol)).size).toBe(row.length);
    }
  });

  it('of an arm are the same in every report', () => {
    const [control, ...treatments] = known.map(({ name }) => name);
    for (const arm of treatments) {
      expect(armLook({ arms: [control ?? '', arm] }, arm)).toEqual(armLook({ arms: ['x', 'y', arm] }, arm));
    }
  });
});

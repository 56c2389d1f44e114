import { describe, expect, it } from 'vitest';
import { arms as known } from '../../../player/arms/index.ts';
import type { Look } from '../../../ground/drawing/palette.ts';
import { armLook, armLooks } from './arm-looks.ts';

const pair = ({ color, symbol }: Look) => `${color} ${symbol}`;
const names = Array.from({ length: 30 }, (_, index) => `arm-${index}`);

describe('looks', () => {
  it('are all different, for thirty arms that nobody lists', () => {
    expect(new Set(armLooks({ arms: names }).map(pair)).size).toBe(30);
  });

  it('are all different where listed arms, the usual control among them, meet others', () => {
    const arms = ['mine', ...known.map(({ name }) => name), ...names.slice(0, 10)];
    expect(new Set(armLooks({ arms }).map(pair)).size).toBe(arms.length);
  });

  it('of an arm are the same in every report', () => {
    const [control, ...treatments] = known.map(({ name }) => name);
    for (const arm of treatments) {
      expect(armLook({ arms: [control ?? '', arm] }, arm)).toEqual(armLook({ arms: ['x', 'y', arm] }, arm));
    }
  });
});

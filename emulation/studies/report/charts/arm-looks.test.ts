import { describe, expect, it } from 'vitest';
import { arms as known } from '../../../player/arms/index.ts';
import type { Look } from '../../../ground/drawing/palette.ts';
import { armLook, armLooks } from './arm-looks.ts';

const pair = ({ color, symbol }: Look) => `${color} ${symbol}`;
const names = Array.from({ length: 30 }, (_, index) => `arm-${index}`);

describe('looks', () => {
  it('differ for thirty unlisted arms', () => {
    expect(new Set(armLooks({ arms: names }).map(pair)).size).toBe(30);
  });

  it('differ for a mixture of listed arms, including the usual control, and unlisted arms', () => {
    const arms = ['mine', ...known.map(({ name }) => name), ...names.slice(0, 10)];
    expect(new Set(armLooks({ arms }).map(pair)).size).toBe(arms.length);
  });

  it('of an arm are equal in every report', () => {
    const [control, ...treatments] = known.map(({ name }) => name);
    for (const arm of treatments) {
      expect(armLook({ arms: [control ?? '', arm] }, arm)).toEqual(armLook({ arms: ['x', 'y', arm] }, arm));
    }
  });
});

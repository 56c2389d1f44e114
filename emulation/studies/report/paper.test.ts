import { describe, expect, it } from 'vitest';
import { arms } from '../../player/arms/index.ts';
import { paperValues } from './paper.ts';

describe('the values of the paper', () => {
  it('refer to existing arms, once each', () => {
    const keys = paperValues.map(({ arm, metric, setting }) => `${arm} ${metric} ${setting}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { arm } of paperValues) expect(arms.map(({ name }) => name)).toContain(arm);
  });

  it('agree with the absolute values next to them, to the percent', () => {
    for (const { control, treatment, change_pct } of paperValues) {
      if (control === undefined || treatment === undefined) continue;
      expect(Math.abs((100 * (treatment - control)) / control - change_pct)).toBeLessThan(1);
    }
  });
});

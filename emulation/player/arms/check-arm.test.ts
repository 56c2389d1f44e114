import { expect, it } from 'vitest';
import type { AbrAlgorithm } from '../../../src/abr/abr.ts';
import { arms } from './index.ts';
import { checkArm } from './check-arm.ts';

it('accepts the listed arms', () => {
  for (const arm of arms) expect(() => checkArm(arm)).not.toThrow();
});

it('names the arm, and the missing method of its algorithm', () => {
  const abr = { name: 'mine', chooseRung: () => 0 } as unknown as AbrAlgorithm;
  expect(() => checkArm({ name: 'mine', sammy: { abr } })).toThrow(/^arm mine: option abr .*session\(\)/);
  expect(() => checkArm({ name: 'fast', sammy: { c0: -1 } })).toThrow('arm fast: option c0 is -1');
});

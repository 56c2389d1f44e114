import { expect, it } from 'vitest';
import { machinesAsked } from './machine-options.ts';

it('is the real machine unless the virtual one is asked for, which then is one with the default kernel', () => {
  expect(machinesAsked({})).toBeUndefined();
  expect(machinesAsked({ machine: 'real' })).toBeUndefined();
  expect(machinesAsked({ machine: 'virtual' })).toEqual({ kernel: '6.12', jobs: 1 });
  expect(machinesAsked({ machine: 'virtual', kernel: '5.10', jobs: 3 })).toEqual({
    kernel: '5.10',
    jobs: 3,
  });
});

it('refuses what only virtual machines have', () => {
  expect(() => machinesAsked({ kernel: '6.1' })).toThrow('--kernel is of --machine virtual');
  expect(() => machinesAsked({ machine: 'real', jobs: 2 })).toThrow('--jobs is of --machine virtual');
});

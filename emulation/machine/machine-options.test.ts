import { expect, it } from 'vitest';
import { machinesAsked } from './machine-options.ts';

it('is the real machine unless the virtual one is asked for, which then is one with the default kernel', () => {
  expect(machinesAsked({})).toBeUndefined();
  expect(machinesAsked({ machine: 'real' })).toBeUndefined();
  expect(machinesAsked({ machine: 'virtual' })).toEqual({ kernel: '6.12', jobs: 1 });
  expect(machinesAsked({ machine: 'virtual', kernel: '5.10', jobs: '3' })).toEqual({
    kernel: '5.10',
    jobs: 3,
  });
});

it.each([
  [{ machine: 'quick' }, "--machine is 'quick', expected real or virtual"],
  [{ kernel: '6.1' }, '--kernel is of --machine virtual'],
  [{ machine: 'real', jobs: '2' }, '--jobs is of --machine virtual'],
  [{ machine: 'virtual', kernel: '4.9' }, "there is no kernel '4.9': 6.12, 6.1, 5.10"],
  [{ machine: 'virtual', jobs: '0' }, "--jobs is '0', expected a whole number from 1 to 64"],
])('refuses %j in one line', (asked, message) => {
  expect(() => machinesAsked(asked)).toThrow(message);
});

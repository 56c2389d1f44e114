import { expect, test } from 'vitest';
import { examine, printFindings, type Check } from './check.ts';

const check = (name: string, required: boolean, find: Check['find'], without: string): Check => ({
  name,
  neededBy: required ? 'every run' : 'traces',
  required,
  find,
  mend: `install ${name}`,
  without,
});

const fail = (): never => {
  throw new Error('not on the PATH');
};

test('prints a row for each check and, if it fails, the consequences and a fix', async () => {
  const findings = await examine([
    check('ip', true, () => '/sbin/ip', 'no run'),
    check('shells', true, fail, 'no run'),
    check('film', false, () => Promise.reject(new Error('none')), 'a synthetic film'),
  ]);
  expect(findings.map(({ found }) => found)).toEqual([true, false, false]);
  expect(printFindings(findings)).toBe(
    [
      'has     ip      for every run  /sbin/ip',
      'MISSING shells  for every run  not on the PATH',
      '                without: no run',
      '                fix: install shells',
      'missing film    for traces     none',
      '                without: a synthetic film',
      '                fix: install film',
    ].join('\n'),
  );
});

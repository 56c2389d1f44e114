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

test('a row for each, and what a lack costs, and how to mend it', async () => {
  const findings = await examine([
    check('ip', true, () => '/sbin/ip', 'no run'),
    check('shells', true, fail, 'no run'),
    check('film', false, () => Promise.reject(new Error('none')), 'a synthetic film'),
  ]);
  expect(findings.map(({ found }) => found)).toEqual([true, false, false]);
  expect(printFindings(findings)).toBe(
    [
      'has   ip      for every run  /sbin/ip',
      'LACKS shells  for every run  not on the PATH',
      '              without: no run',
      '              mend: install shells',
      'lacks film    for traces     none',
      '              without: a synthetic film',
      '              mend: install film',
    ].join('\n'),
  );
});

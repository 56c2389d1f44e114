import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitCmcdQuery } from './cmcd.ts';

it.each([
  ['', { values: [], rest: '' }],
  ['?CMCD=rtp%3D5000', { values: ['rtp%3D5000'], rest: '' }],
  // Order and encoding of the other parameters must not change, because a signature may cover them.
  ['?b=%7e+1&CMCD=x&a=%7E%201', { values: ['x'], rest: '?b=%7e+1&a=%7E%201' }],
  ['?CMCD&a', { values: [''], rest: '?a' }],
  ['?CMCD=a=b&CMCD=c', { values: ['a=b', 'c'], rest: '' }],
  ['?CMCDX=1&XCMCD=2&cmcd=3', { values: [], rest: '?CMCDX=1&XCMCD=2&cmcd=3' }],
])('splits %s', (search, expected) => expect(splitCmcdQuery(search)).toEqual(expected));

it('finds the same CMCD parameters as a URL parser', () => {
  const part = fc.constantFrom('CMCD', '%43MCD', 'C%4dCD', 'CMC%64', 'a', '=', '&', '1', '%', '+');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const search = `?${parts.join('')}`;
      const { values, rest } = splitCmcdQuery(search);
      expect(values.length).toBe(new URLSearchParams(search).getAll('CMCD').length);
      expect(new URLSearchParams(rest).has('CMCD')).toBe(false);
    }),
  );
});

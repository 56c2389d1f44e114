import { expect, it } from 'vitest';
import { selectRange } from './byte-range.ts';

// Ranges of a representation of 10,000 bytes, first the examples of RFC 9110 §14.1.2, then rules of §14.2.
it.each([
  ['bytes=0-499', { first: 0, last: 499 }],
  ['bytes=500-999', { first: 500, last: 999 }],
  ['bytes=-500', { first: 9500, last: 9999 }],
  ['bytes=9500-', { first: 9500, last: 9999 }],
  ['BYTES=0-0', { first: 0, last: 0 }],
  ['bytes=9999-9999', { first: 9999, last: 9999 }],
  ['bytes=0-99999', { first: 0, last: 9999 }],
  // A suffix longer than the representation selects all of it.
  ['bytes=-20000', { first: 0, last: 9999 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10000-', 'unsatisfiable'],
  ['bytes=10000-10001', 'unsatisfiable'],
  // A Range that is invalid or not supported is ignored.
  ['bytes=5-4', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['seconds=0-1', 'whole'],
  ['bytes', 'whole'],
  ['', 'whole'],
  [null, 'whole'],
])('%s', (header, expected) => expect(selectRange(header, 10_000)).toEqual(expected));

it('is unsatisfiable for an empty representation', () => {
  expect(selectRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(selectRange('bytes=-5', 0)).toBe('unsatisfiable');
});

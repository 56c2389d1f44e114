import { expect, it } from 'vitest';
import { splitMembers } from './structured-field.ts';

it.each([
  ['', []],
  [' , ,', []],
  ['a', ['a']],
  // RFC 8941, 3.1.
  ['sugar, tea, rum', ['sugar', 'tea', 'rum']],
  ['("foo" "bar"), ("baz"), ("bat" "one"), ()', ['("foo" "bar")', '("baz")', '("bat" "one")', '()']],
  // RFC 8941, 3.1.2.
  ['abc;a=1;b=2; cde_456, (ghi;jk=4 l);q="9";r=w', ['abc;a=1;b=2; cde_456', '(ghi;jk=4 l);q="9";r=w']],
  ['nor="a,b",bl=1', ['nor="a,b"', 'bl=1']],
  ['nor="a\\",b",bl=1', ['nor="a\\",b"', 'bl=1']],
  ['"a","b,c" , "d"', ['"a"', '"b,c"', '"d"']],
])('splits %j', (list, members) => {
  expect(splitMembers(list)).toEqual(members);
});

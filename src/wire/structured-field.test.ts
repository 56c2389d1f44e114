import { expect, it } from 'vitest';
import { splitMembers } from './structured-field.ts';

it.each([
  ['', []],
  [' , ,', []],
  ['a', ['a']],
  // The next three are the examples of RFC 8941 §3.1 and §3.1.2.
  ['sugar, tea, rum', ['sugar', 'tea', 'rum']],
  ['("foo" "bar"), ("baz"), ("bat" "one"), ()', ['("foo" "bar")', '("baz")', '("bat" "one")', '()']],
  ['abc;a=1;b=2; cde_456, (ghi;jk=4 l);q="9";r=w', ['abc;a=1;b=2; cde_456', '(ghi;jk=4 l);q="9";r=w']],
  ['nor="a,b",bl=1', ['nor="a,b"', 'bl=1']],
  ['nor="a\\",b",bl=1', ['nor="a\\",b"', 'bl=1']],
  ['"a","b,c" , "d"', ['"a"', '"b,c"', '"d"']],
])('splits %j', (list, members) => {
  expect(splitMembers(list)).toEqual(members);
});

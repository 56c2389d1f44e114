import { expect, it } from 'vitest';
import { requestId } from './request-id.ts';

it.each([
  ['7d3f-1.a:b_c', '7d3f-1.a:b_c'],
  [undefined, 'own'],
  ['', 'own'],
  ['two words', 'own'],
  ['\u009b31m', 'own'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), 'own'],
  ['one, two', 'own'],
])('for the X-Request-Id %j is %j', (given, id) => {
  expect(requestId({ headers: given === undefined ? {} : { 'x-request-id': given } }, 'own')).toBe(id);
});

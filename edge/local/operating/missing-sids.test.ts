import { expect, it } from 'vitest';
import { MissingSids } from './missing-sids.ts';

const warnings = (requests: readonly boolean[]): string[] => {
  const lines: string[] = [];
  const sids = new MissingSids((line) => lines.push(line));
  for (const hasSid of requests) sids.request(hasSid);
  return lines;
};
const without = (count: number): false[] => Array.from({ length: count }, () => false as const);

it('warns once, after twenty requests with a pace and without a session id', () => {
  expect(warnings(without(19))).toEqual([]);
  expect(warnings(without(100))).toEqual([expect.stringMatching(/^none of the first 20 .* session id/)]);
});

it('does not warn after a request with a session id', () => {
  expect(warnings([...without(19), true, ...without(100)])).toEqual([]);
});

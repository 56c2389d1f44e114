import { expect, it } from 'vitest';
import { CLIENT_AS_HEADER, getCluster, isCluster } from './cluster.ts';

const told = (cluster: string, ...numbers: string[]) => {
  const headers = new Headers();
  for (const number of numbers) headers.append(CLIENT_AS_HEADER, number);
  return getCluster(cluster, headers);
};

it("replaces {asn} by the client's autonomous system number", () => {
  expect(told('FRA-AS{asn}', '64496')).toBe('FRA-AS64496');
  expect(told('AS{asn}', '4294967295')).toBe('AS4294967295');
  expect(told('FRA', '64496')).toBe('FRA');
});

it.each([
  [],
  [''],
  ['0'],
  ['-1'],
  ['1.5'],
  ['064496'],
  ['AS64496'],
  ['4294967296'],
  ['9'.repeat(400)],
  ['64496', '64497'],
  ['64496, 64497'],
  ['1e3'],
  ['٣'],
  ['(null)'],
])('rejects %j as an autonomous system', (...numbers) => {
  const headers = { get: () => (numbers.length === 0 ? null : numbers.join(', ')) };
  expect(getCluster('AS{asn}', headers)).toBe('AS0');
});

it('accepts a pattern if it is a valid name with any number', () => {
  expect(['FRA', 'AS{asn}', 'a.b:c-d_e'].map(isCluster)).toEqual([true, true, true]);
  expect(['', 'a b', '{pop}', 'AS{asn', 'x'.repeat(65)].map(isCluster)).toEqual(Array(5).fill(false));
  // With the ten digits of the largest number, the name has 65 characters.
  expect(isCluster(`${'x'.repeat(55)}{asn}`)).toBe(false);
});

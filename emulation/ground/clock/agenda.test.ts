import { expect, it } from 'vitest';
import { seededRandom } from '../statistics/random.ts';
import { Agenda } from './agenda.ts';

it('returns entries in order of time, and simultaneous entries in order of insertion', () => {
  const random = seededRandom(5);
  const agenda = new Agenda<{ at_ms: number; added: number }>();
  // There are only twenty different times, so that many entries are simultaneous.
  const all = Array.from({ length: 200 }, (_, added) => ({ at_ms: Math.floor(20 * random()), added }));
  for (const each of all) agenda.add(each.at_ms, each);
  expect(agenda.next_ms).toBe(0);
  const taken = all.map(() => agenda.take());
  expect(taken).toEqual(all.toSorted((a, b) => a.at_ms - b.at_ms || a.added - b.added));
  expect(agenda.next_ms).toBe(Infinity);
  expect(() => agenda.take()).toThrow('the agenda is empty');
});

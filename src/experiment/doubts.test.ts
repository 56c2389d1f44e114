import { expect, it } from 'vitest';
import { doubtsAbout } from './doubts.ts';
import { readExperiments } from './read-experiments.ts';

const doubts = (fields: object) => {
  const given = { name: 'e', from: '2026-11-22T00:00Z', treatment: { pacing: false }, ...fields };
  const [read] = readExperiments({ version: 1, experiments: [given] });
  return read ? doubtsAbout(read) : [];
};
const switchback = { design: 'switchback', window_s: 86_400, washout_s: 3600 };

it.each([
  { ...switchback, until: '2026-12-04T00:00Z' },
  { design: 'paired', allocations: { one: 0.95, two: 0.05 } },
  { design: 'event', at: '2026-11-27T00:00Z', until: '2026-12-02T00:00Z' },
])('has no objection to %j', (fields) => expect(doubts(fields)).toEqual([]));

it.each([
  [{ ...switchback, window_s: 9000 }, ['e: window_s is 9000: the analysis needs whole hours of 3600 s']],
  [{ ...switchback, washout_s: 0 }, ['e: there is no wash-out: sessions of a window overlap with those']],
  [
    { ...switchback, washout_s: 43_201 },
    ['e: washout_s is 43201: more than half of each window is excluded'],
  ],
  [
    { ...switchback, until: '2026-12-01T12:00Z' },
    ['e: 9 windows are too few', 'e: 9 windows: the last one has no partner'],
  ],
  // Ten windows are five pairs, with 2^5 = 32 random assignments: too few for a 95% interval with two finite ends.
  [{ ...switchback, until: '2026-12-02T00:00Z' }, ['e: 10 windows are too few']],
  [{ ...switchback, low: 0.3, high: 0.7 }, ['e: allocations from 0.3 to 0.7 are close to each other']],
  [{ ...switchback, treatment: {} }, ['e: control and treatment have the same options: an A/A test']],
  [{ ...switchback, high: 0.99995 }, ['e: allocation 0.99995 is 1 in effect: units are assigned']],
  [
    { design: 'paired', allocations: { one: 0.9501, two: 0.00002 } },
    ['e: allocation 0.00002 is 0.0001 in effect'],
  ],
  [
    { design: 'ab', allocation: 1, until: '2026-11-26T23:00Z' },
    ['e: an A/B test compares treated', 'e: allocation is 1: there is only one arm', 'e: 4 whole days until'],
  ],
  [
    { design: 'event', at: '2026-11-26T00:00Z', until: '2026-11-28T00:00Z' },
    ['e: 4 whole days before the event are too few', 'e: 2 whole days after the event are too few'],
  ],
])('objects to %j: %j', (fields, said) => {
  expect(doubts(fields)).toEqual(said.map((line) => expect.stringContaining(line) as string));
});

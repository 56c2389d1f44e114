import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../options.ts';
import { readExperiments } from './read-experiments.ts';

const AB = {
  name: 'pacing',
  design: 'ab',
  from: '2026-11-22T00:00Z',
  allocation: 0.5,
  treatment: { pacing: true, c0: 3, abr: 'hyb' },
};
const PAIRED = {
  ...AB,
  design: 'paired',
  allocation: undefined,
  allocations: { 'link-1': 0.95, 'link-2': 0.05 },
};
const SWITCHBACK = { ...AB, design: 'switchback', allocation: undefined, window_s: 86_400 };
const EVENT = { ...AB, design: 'event', allocation: undefined, at: '2026-11-25T00:00Z' };
/** Converts the experiments to JSON and back, because JSON has no undefined. */
const read = (...experiments: unknown[]) =>
  readExperiments(JSON.parse(JSON.stringify({ version: 1, experiments })), resolveOptions);

it('reads an experiment of every design', () => {
  for (const given of [AB, PAIRED, SWITCHBACK, EVENT]) {
    expect(read(given)).toMatchObject([{ name: 'pacing', seed: 'pacing', design: { kind: given.design } }]);
  }
  expect(read(SWITCHBACK)[0]?.design).toEqual({
    kind: 'switchback',
    window: 86_400_000,
    washout: 0,
    low: 0.05,
    high: 0.95,
  });
  expect(read({ ...AB, seed: '' })[0]?.seed).toBe('');
  expect(read(AB)[0]?.arms).toEqual({ control: {}, treatment: AB.treatment });
});

it.each([
  [null, 'the configuration is null, expected an object'],
  [{ experiments: [] }, 'version is undefined, expected 1'],
  [{ version: 2, experiments: [] }, 'version is 2, expected 1'],
  [{ version: 1, experiments: {} }, 'experiments is [object Object], expected a list'],
  [{ version: 1, experiments: [], more: 1 }, 'unknown field more; known: version, experiments'],
])('refuses the configuration %j', (configuration, message) => {
  expect(() => readExperiments(configuration)).toThrow(message);
});

const of = (base: object, fields: object): object => ({ ...base, ...fields });
it.each([
  ['text', "experiments[0] is 'text', expected an object"],
  [of(AB, { name: 'a b' }), "experiments[0].name is 'a b', expected 1 to 64 letters"],
  [of(AB, { name: undefined }), 'experiments[0].name is undefined, expected 1 to 64 letters'],
  [
    of(AB, { design: 'abc' }),
    "experiments[0].design is 'abc', expected 'ab', 'paired', 'switchback', 'event'",
  ],
  [of(AB, { design: '__proto__' }), "experiments[0].design is '__proto__', expected 'ab'"],
  [of(AB, { allocations: {} }), 'experiments[0]: unknown field allocations; known: name,'],
  [of(AB, { seed: 7 }), 'experiments[0].seed is 7, expected text'],
  [of(AB, { clusters: 'link-1' }), "experiments[0].clusters is 'link-1', expected a list of names"],
  [of(AB, { clusters: [] }), 'experiments[0].clusters is , expected a list of names'],
  [of(AB, { treatment: ['pacing'] }), 'experiments[0].treatment is pacing, expected an object with options'],
  [of(AB, { from: '2026-02-30T00:00Z' }), "experiments[0].from is '2026-02-30T00:00Z', expected a time with"],
  [of(AB, { allocation: 1.5 }), 'experiments[0].allocation is 1.5, expected a fraction from 0 to 1'],
  [of(AB, { allocation: '1' }), "experiments[0].allocation is '1', expected a fraction from 0 to 1"],
  [of(AB, { from: '2026-11-22' }), "experiments[0].from is '2026-11-22', expected a time with its zone"],
  [
    of(AB, { from: '2026-11-22T00:00' }),
    "experiments[0].from is '2026-11-22T00:00', expected a time with its zone",
  ],
  [of(AB, { from: '2026-13-40T00:00Z' }), 'experiments[0].from is'],
  [
    of(AB, { until: '2026-11-21T00:00Z' }),
    "experiments[0].until is '2026-11-21T00:00Z', expected a time after",
  ],
  [
    of(AB, { treatment: undefined }),
    'experiments[0].treatment is undefined, expected an object with options',
  ],
  [
    of(AB, { treatment: { c0: 'x' } }),
    "experiments[0].treatment: option c0 is 'x', expected a number from 0.1 to 100",
  ],
  [of(AB, { treatment: { nothing: 1 } }), 'experiments[0].treatment: unknown option nothing; known: abr,'],
  [
    of(AB, { treatment: { max_bitrate_kbps: '2M' } }),
    "experiments[0].treatment: option max_bitrate_kbps is '2M', expected a number from 1 to Infinity",
  ],
  [
    of(AB, { control: { abr: 'player', max_bitrate_kbps: 2000 } }),
    "experiments[0].control: option max_bitrate_kbps has no effect with abr 'player'",
  ],
  [of(AB, { control: { sidecar: {} } }), 'experiments[0].control: option sidecar describes one video'],
  [
    of(PAIRED, { allocations: { one: 1 } }),
    'experiments[0].allocations is one, expected two clusters or more',
  ],
  [of(PAIRED, { allocations: { a: 1, b: 2 } }), 'experiments[0].allocations.b is 2, expected a fraction'],
  [of(PAIRED, { allocations: [1, 2] }), 'experiments[0].allocations is 1,2, expected an object'],
  [of(PAIRED, { allocations: undefined }), 'experiments[0].allocations is undefined, expected an object'],
  [of(PAIRED, { clusters: ['a'] }), 'experiments[0].clusters is a, expected none: the allocations name them'],
  [of(SWITCHBACK, { window_s: 0 }), 'experiments[0].window_s is 0, expected seconds from 1 to 2678400'],
  [of(SWITCHBACK, { washout_s: 86_400 }), 'experiments[0].washout_s is 86400, expected less than window_s'],
  [
    of(SWITCHBACK, { low: 0.9, high: 0.5 }),
    'experiments[0].low is 0.9, expected less than high, which is 0.5',
  ],
  [
    of(EVENT, { at: '2026-11-22T00:00Z' }),
    "experiments[0].at is '2026-11-22T00:00Z', expected a time after from",
  ],
])('refuses the experiment %j', (given, message) => {
  expect(() => read(given)).toThrow(message);
});

describe('two experiments', () => {
  const other = { ...AB, name: 'ceiling' };
  it.each([
    [
      'everywhere',
      AB,
      other,
      'experiments pacing and ceiling overlap in every cluster; a session can have only one arm',
    ],
    [
      'in one cluster',
      of(AB, { clusters: ['a', 'b'] }),
      of(other, { clusters: ['b', 'c'] }),
      'overlap in cluster b;',
    ],
    ['where one is everywhere', PAIRED, other, 'overlap in cluster link-1;'],
    ['by name', AB, of(AB, { from: '2027-01-01T00:00Z' }), 'two experiments have the name pacing'],
  ])('that overlap %s are refused', (_, one, two, message) => {
    expect(() => read(one, two)).toThrow(message);
  });

  it('may follow each other, or run in different clusters', () => {
    expect(
      read(of(AB, { until: '2026-12-01T00:00Z' }), of(other, { from: '2026-12-01T00:00Z' })),
    ).toHaveLength(2);
    expect(read(PAIRED, of(other, { clusters: ['link-3'] }))).toHaveLength(2);
    expect(read(of(AB, { clusters: ['every'] }), of(other, { clusters: ['link-3'] }))).toHaveLength(2);
  });
});
